import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { killPrograms } from '../../support/program';
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

/** A folder that is removed after the last test of the file. */
export function lastingFolder(): string {
  const folder = temporaryFolder();
  folders.delete(folder);
  lasting.add(folder);
  return folder;
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
