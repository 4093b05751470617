import { transformFileSync } from '@swc/core';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Program } from '../../../test/support/program';
import { lastingFolder, temporaryFolder, type User } from '../../../test/system/embedded/processes';
import type { EmbeddedOptions } from '../src/embedded-postgres';

const PACKAGE = join(__dirname, '..');

/** The folder with the installed packages. */
export const PROJECT = join(PACKAGE, '../..');

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
    spawn(process.execPath, [join(project, 'test/data-folder-owner.js'), JSON.stringify(settings)], {
      ...user,
      cwd: '/',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, as a shell creates, so that tests can signal it like Ctrl-C.
      detached: true,
    }),
  );
}

let defaultProject: string | undefined;

function makeDefaultProject(): string {
  const project = lastingFolder();
  compileLauncher(project);
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** Compiles the package and data-folder-owner.ts into a folder, so that tests never use an older build. */
export function compileLauncher(project: string): void {
  const sources = readdirSync(join(PACKAGE, 'src')).map((name) => join('src', name));
  for (const source of [...sources, 'test/data-folder-owner.ts']) {
    const { code } = transformFileSync(join(PACKAGE, source), {
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    const target = join(project, source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

let model: Promise<string> | undefined;

/** A new data folder with a cluster in `parent`, for one test. It is a copy, because initdb is slow. */
export async function folderWithCluster(parent?: string, name?: string): Promise<string> {
  model ??= makeModel();
  return copyOf(await model, parent, name);
}

async function makeModel(): Promise<string> {
  const dataDir = join(lastingFolder(), 'data');
  await startHolder({ dataDir, hold: false }).ended;
  return dataDir;
}

/** Copies an unused data folder, with its owners and permissions, to a new folder in `parent`. */
export async function copyOf(dataDir: string, parent = temporaryFolder(), name = 'data'): Promise<string> {
  const copy = join(parent, name);
  await promisify(execFile)('cp', ['-a', dataDir, copy]);
  rmSync(join(copy, 'run'), { recursive: true, force: true });
  return copy;
}
