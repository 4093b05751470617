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
import { StartupError } from '../../core/errors/startup-error';
import { isSameProcess, processIdentity } from './processes';
import { errorCode, ifExists } from './startup-failures';

/** A service owns its server alone; a command uses a service's server, or owns one for as long as it runs. */
export type Role = 'service' | 'command';

/** Who owns the server of a data folder. */
export interface OwnershipRecord {
  readonly pid: number;
  /** The start time that tells the process from a later one with the same number. */
  readonly identity: string;
  readonly role: Role;
  readonly state: 'running' | 'stopping' | 'released';
}

/** The ownership this process holds. */
export interface Ownership {
  /** Lets the next one know that it is worth waiting. */
  announceStop(): void;
  release(): void;
}

/** How long to wait for another owner, in milliseconds. */
const OWNER_TIMEOUT_MS = {
  /** A service that runs will go on running; the short wait is for one that is just being stopped. */
  service: 1_500,
  command: 15_000,
  stopping: 20_000,
} as const;

/**
 * Becomes the owner of the server in this data folder, or finds the service whose server a command may use.
 *
 * The record is a file `owner.<n>`, and the highest number counts. It is taken over, when its process is gone,
 * by creating the next number: a link to a file that is complete already, which only one of several can make.
 * Removing or overwriting a dead owner's file instead could hit the file of somebody who was faster. For the same
 * reason releasing only marks the file: the numbers never start again while somebody still looks at an old one.
 */
export async function claimOwnership(
  run: string,
  dataDir: string,
  role: Role,
): Promise<{ ownership: Ownership } | { owner: OwnershipRecord }> {
  const identity = processIdentity(process.pid);
  if (identity === undefined) throw new Error('this process cannot see itself');
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
    if (Date.now() - began > timeoutMs) throw taken(dataDir, record);
    await delay(50);
  }
}

/** Whether this record's process still lives and owns the server. */
export function isHeld(record: OwnershipRecord): boolean {
  return record.state !== 'released' && isSameProcess(record.pid, record.identity);
}

/** The record that counts now. */
export function currentOwner(run: string): OwnershipRecord | undefined {
  return readOwner(run)?.record;
}

function taken(dataDir: string, { pid, role, state }: OwnershipRecord): StartupError {
  const who =
    role === 'service' ? `Another Muster (process ${pid})` : `A muster-admin command (process ${pid})`;
  const does = state === 'stopping' ? 'still has not finished stopping on' : 'is already using';
  return new StartupError(
    `${who} ${does} the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  );
}

function ownershipOf(run: string, number: number, record: OwnershipRecord): Ownership {
  const mark = (state: OwnershipRecord['state']) => {
    // Where somebody has removed the data folder, there is nobody to tell.
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
    // ENOENT: a new owner has cleaned up behind itself, so there is one.
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  if (highest(run) !== number) {
    // Others came and went since we looked: this number was used before.
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
    // Removed since it was listed: there is a higher one now.
    if (text !== undefined) return { number, record: parse(text) };
  }
}

/** A record that a power failure cut short is nobody's. */
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

/** Zero stands for a file that is no record. */
function numberOf(name: string): number {
  return Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);
}

function fileOf(run: string, number: number): string {
  return join(run, `owner.${number}`);
}
