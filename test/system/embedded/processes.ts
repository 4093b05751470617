import { transformFileSync } from '@swc/core';
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import type { EmbeddedOptions } from '../../../src/database/embedded/embedded-postgres';
import { killPrograms, Program } from '../../support/program';
import { PROJECT } from '../../support/service';
import { processesOn } from '../../support/system-processes';

/** A user to run as; only root can become another. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

export const AM_ROOT = process.getuid?.() === 0;
/** For tests that need root. */
export const itAsRoot = AM_ROOT ? it : it.skip;
/** For concurrent tests that need root. */
export const itAsRootConcurrently = AM_ROOT ? it.concurrent : it.concurrent.skip;
/** "nobody" by its usual numeric ID, which needs no account. */
export const NOBODY: User = { uid: 65534, gid: 65534 };

/** A line that data-folder-owner.ts prints. */
export type HolderEvent =
  | { event: 'ready'; host: string }
  | { event: 'refused'; message: string }
  | { event: 'exit'; sentence: string }
  | { event: 'stopping' | 'stopped' };

/** A running data-folder-owner.ts. */
export class Holder extends Program {
  /** Waits for an event. */
  event<E extends HolderEvent['event']>(event: E): Promise<Extract<HolderEvent, { event: E }>> {
    return this.line((line) => {
      const printed = JSON.parse(line) as HolderEvent;
      return printed.event === event ? (printed as Extract<HolderEvent, { event: E }>) : undefined;
    }, event);
  }

  /** Waits until the database is ready. @returns the folder of its socket */
  async ready(): Promise<string> {
    return (await this.event('ready')).host;
  }
}

/** How to run data-folder-owner.ts. */
export interface HolderOptions extends Partial<EmbeddedOptions> {
  readonly dataDir: string;
  /** Whether to run until a signal (the default), or to stop at once. */
  readonly hold?: boolean;
}

/** Starts a process that starts the embedded database. */
export function startHolder(
  options: HolderOptions,
  as: { user?: User | undefined; project?: string; env?: NodeJS.ProcessEnv } = {},
): Holder {
  const { user, env } = as;
  const project = as.project ?? (defaultProject ??= makeDefaultProject());
  // Tests kill node, not the machine, so durability does not matter.
  const settings = { role: 'service', hold: true, durable: false, ...options };
  return new Holder(
    spawn(
      process.execPath,
      [join(project, 'test/system/embedded/data-folder-owner.js'), JSON.stringify(settings)],
      {
        ...user,
        cwd: '/',
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A separate process group, as a shell creates, so that tests can signal it like Ctrl-C.
        detached: true,
      },
    ),
  );
}

let defaultProject: string | undefined;

function makeDefaultProject(): string {
  const project = lastingFolder();
  compileLauncher(project);
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** Compiles the launcher and data-folder-owner.ts into a folder, so that tests never use an older build. */
export function compileLauncher(project: string): void {
  const launcher = 'src/database/embedded';
  const sources = readdirSync(join(PROJECT, launcher)).map((name) => join(launcher, name));
  const others = ['src/core/backoff.ts', 'src/core/errors.ts', 'test/system/embedded/data-folder-owner.ts'];
  for (const source of [...sources, ...others]) {
    const { code } = transformFileSync(join(PROJECT, source), {
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    const target = join(project, source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

const folders = new Set<string>();

/** Ends the processes and removes the folders of a test. */
export async function cleanUp(): Promise<void> {
  await killPrograms();
  for (const folder of [...folders, ...lasting]) {
    await eventually(() => processesOn(folder).length === 0, `the end of all processes on ${folder}`);
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.clear();
}

/** A folder for one test, which the user may enter. If Jest is killed, its next run removes it. */
export function temporaryFolder(owner?: User): string {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${process.pid}-`));
  folders.add(folder);
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

let model: Promise<string> | undefined;

/** A data folder with a cluster, for one test. It is a copy, because initdb is slow. */
export async function folderWithCluster(): Promise<string> {
  model ??= makeModel();
  return copyOf(await model);
}

async function makeModel(): Promise<string> {
  const dataDir = join(lastingFolder(), 'data');
  await startHolder({ dataDir, hold: false }).ended;
  return dataDir;
}

/** A folder that is removed after the last test of the file. */
export function lastingFolder(): string {
  const folder = temporaryFolder();
  folders.delete(folder);
  lasting.add(folder);
  return folder;
}

/** Copies an unused data folder, with its owners and permissions. */
export async function copyOf(dataDir: string): Promise<string> {
  const copy = join(temporaryFolder(), 'data');
  await promisify(execFile)('cp', ['-a', dataDir, copy]);
  rmSync(join(copy, 'run'), { recursive: true, force: true });
  return copy;
}

const lasting = new Set<string>();
afterAll(() => {
  for (const folder of lasting) rmSync(folder, { recursive: true, force: true });
});

/** Polls until the condition holds. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  within = 60_000,
): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`timed out after ${within} ms waiting for ${what}`);
    await delay(20);
  }
}

/** The process ID in a cluster's postmaster.pid. */
export function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

/** Runs one statement on the embedded database with this socket. */
export async function query<T extends QueryResultRow>(host: string, statement: string): Promise<T[]> {
  const client = new Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
