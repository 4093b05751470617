import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isSameProcess, processIdentity } from './processes';
import { EmbeddedPostgresError, errorCode, ifExists } from './startup-failures';

/** A service owns its server. A command uses the server of a service, or owns one while it runs. */
export type Role = 'service' | 'command';

/** The owner of the server of a data folder. */
export interface OwnershipRecord {
  readonly pid: number;
  /** The start time of the process, because process ids are reused. */
  readonly identity: string;
  readonly role: Role;
  readonly state: 'running' | 'stopping' | 'released';
}

/** The ownership this process holds. */
export interface Ownership {
  /** Lets the next owner wait for the release. */
  announceStop(): void;
  release(): void;
}

/** How long to wait for another owner, in milliseconds. */
const OWNER_TIMEOUT_MS = {
  /** Short, because a running service usually continues to run. */
  service: 1_500,
  command: 15_000,
  stopping: 20_000,
} as const;

/**
 * Becomes the owner of the server in this data folder, or finds the service whose server a command can use.
 *
 * The record is a file `owner.<n>`. The highest number is the current one. When its process has ended, the next owner
 * creates the next number, as a hard link to a complete file, so only one of several processes succeeds. Removing or
 * overwriting the file of the previous owner instead could destroy the record of a faster process. For the same reason,
 * a release only marks the file, and numbers are not reused.
 */
export async function claimOwnership(
  run: string,
  dataDir: string,
  role: Role,
): Promise<{ ownership: Ownership } | { owner: OwnershipRecord }> {
  const identity = processIdentity(process.pid);
  if (identity === undefined) throw new Error('the identity of this process cannot be read');
  const began = Date.now();
  for (;;) {
    const present = readOwner(run);
    if (!present || !isHeld(present.record)) {
      const number = (present?.number ?? 0) + 1;
      const record: OwnershipRecord = { pid: process.pid, identity, role, state: 'running' };
      if (create(run, number, record)) return { ownership: ownershipOf(run, number, record) };
      continue;
    }
    const { record } = present;
    if (role === 'command' && record.role === 'service' && record.state === 'running')
      return { owner: record };
    const timeoutMs = record.state === 'stopping' ? OWNER_TIMEOUT_MS.stopping : OWNER_TIMEOUT_MS[record.role];
    if (Date.now() - began > timeoutMs) throw inUseError(dataDir, record);
    await delay(50);
  }
}

/** Whether the process of a record is alive and owns the server. */
export function isHeld(record: OwnershipRecord): boolean {
  return record.state !== 'released' && isSameProcess(record.pid, record.identity);
}

/** The current record. */
export function currentOwner(run: string): OwnershipRecord | undefined {
  return readOwner(run)?.record;
}

function inUseError(dataDir: string, { pid, role, state }: OwnershipRecord): EmbeddedPostgresError {
  const who = role === 'service' ? `Another service (process ${pid})` : `A command (process ${pid})`;
  const does = state === 'stopping' ? 'has not finished stopping and still uses' : 'is already using';
  return new EmbeddedPostgresError(
    `${who} ${does} the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  );
}

function ownershipOf(run: string, number: number, record: OwnershipRecord): Ownership {
  const mark = (state: OwnershipRecord['state']) => {
    // The data folder can have been removed.
    const unfinished = ifExists(() => write(run, { ...record, state }));
    if (unfinished !== undefined) renameSync(unfinished, fileOf(run, number));
  };
  return { announceStop: () => mark('stopping'), release: () => mark('released') };
}

function create(run: string, number: number, record: OwnershipRecord): boolean {
  const unfinished = write(run, record);
  try {
    linkSync(unfinished, fileOf(run, number));
  } catch (error) {
    // ENOENT: another process became the owner and removed the file.
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  if (highest(run) !== number) {
    // Other owners came and went meanwhile, so this number was already used.
    rmSync(fileOf(run, number), { force: true });
    return false;
  }
  for (const name of readdirSync(run)) {
    if (name.startsWith('claim.') || (numberOf(name) > 0 && numberOf(name) < number))
      rmSync(join(run, name), { force: true });
  }
  return true;
}

function write(run: string, record: OwnershipRecord): string {
  const path = join(run, `claim.${process.pid}-${randomBytes(4).toString('hex')}`);
  const file = openSync(path, 'wx', 0o644);
  try {
    writeSync(file, JSON.stringify(record));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return path;
}

function readOwner(run: string): { number: number; record: OwnershipRecord } | undefined {
  for (;;) {
    const number = highest(run);
    if (number === 0) return undefined;
    const text = ifExists(() => readFileSync(fileOf(run, number), 'utf8'));
    // If it was removed since it was listed, there is a higher one now.
    if (text !== undefined) return { number, record: parse(text) };
  }
}

/** A record that a power failure truncated counts as released. */
function parse(text: string): OwnershipRecord {
  try {
    return JSON.parse(text) as OwnershipRecord;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { pid: 0, identity: '', role: 'service', state: 'released' };
  }
}

function highest(run: string): number {
  return Math.max(0, ...readdirSync(run).map(numberOf));
}

/** The number of a record; 0 for other files. */
function numberOf(name: string): number {
  return Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);
}

function fileOf(run: string, number: number): string {
  return join(run, `owner.${number}`);
}
