import { ApiError, NetworkError } from '@muster/api-types';
import { asObject, toNumber } from '../api/exact-json';
import type { ApiResponse, Muster } from '../api/muster';
import { printStatus } from '../output/console';
import { pluralize } from '../text';
import { affectedDevices, type Impact } from './impact-preview';
import type { Session } from './session';

/** The change that a write made. */
export interface WrittenChange {
  readonly id: string;
  /** How many devices resolve other values; undefined if it is unknown, or hidden from the user. */
  readonly devices: number | undefined;
}

/** A page size that every configuration of the service accepts. */
const PAGE_LIMIT = 10;

/** How many changes of one command a message names. */
const MAX_CHANGES = 20;

/**
 * The change that a request made.
 * @returns undefined if it changed nothing, or the user may not see its change
 * @throws ApiError, NetworkError
 */
export async function findChange(
  muster: Muster,
  requestId: string,
  signal?: AbortSignal,
): Promise<WrittenChange | undefined> {
  const query = { request_id: requestId, fields: ['id', 'impact'], limit: PAGE_LIMIT };
  const { items } = await muster.firstPage('/v1/changes', { query, ...(signal ? { signal } : {}) });
  // Others can have used the same id for requests of their own, but only after they have seen it: the first record is that of the write.
  const [change] = items.map(asObject);
  return change && { id: String(change['id']), devices: affectedDevices(change) };
}

/**
 * Like `findChange`, for a write that has succeeded: if its change cannot be read, it prints a message and does not fail, also if
 * `signal` ends the reading.
 */
export async function readChangeOfRequest(
  muster: Muster,
  requestId: string,
  signal?: AbortSignal,
): Promise<WrittenChange | undefined> {
  try {
    return await findChange(muster, requestId, signal);
  } catch (error) {
    const isExpected = error instanceof ApiError || error instanceof NetworkError;
    if (!isExpected && signal?.aborted !== true) throw error;
    const why = isExpected ? error.message : 'interrupted';
    printStatus(`The change and the number of affected devices are unknown: ${why}`);
    return undefined;
  }
}

/** What a command did. */
interface Done {
  /** How many devices resolve other values. Absent: unknown, or not part of the message. */
  readonly devices?: number | undefined;
  /** The ids of the changes, if they are known. */
  readonly changes?: readonly string[];
}

/** Prints what a command did. */
export const printDone = (text: string, done: Done = {}): void => {
  printStatus(doneText(text, done));
};

/** A write that has succeeded. */
export interface WrittenRequest {
  /** The id of the request, by which its change is found. Absent: nothing was written, or a proxy has removed it. */
  readonly requestId: string | undefined;
  /** How many devices resolve other values; `'unknown'`: it is read from the change. Absent: the message has no number. */
  readonly devices?: number | 'unknown' | undefined;
}

/** The write that a response reports. */
export const writeOf = (
  { headers }: Pick<ApiResponse, 'headers'>,
  devices?: WrittenRequest['devices'],
): WrittenRequest => ({ requestId: headers.get('x-request-id') ?? undefined, devices });

/** Whether messages name the command that reverts. Only tables are for people, and the id of the change takes a further request. */
export const namesReverts = ({ format }: Pick<Session, 'format'>): boolean => format === 'table';

/**
 * Prints a message about writes: the number of devices that resolve other values, and the command that reverts them.
 * @param isResultPrinted whether the command has printed the result already. Then the message is omitted unless it has a number or a
 * command
 */
export async function printWritten(
  session: Session,
  text: string,
  writes: readonly WrittenRequest[],
  isResultPrinted = false,
): Promise<void> {
  const readsAll = namesReverts(session) && writes.length <= MAX_CHANGES;
  const changes: string[] = [];
  let devices: number | undefined = 0;
  for (const { requestId, devices: counted } of writes) {
    const isRead = requestId !== undefined && (readsAll || counted === 'unknown');
    const change = isRead ? await readChangeOfRequest(session.muster, requestId) : undefined;
    if (change && readsAll) changes.push(change.id);
    const number = counted === 'unknown' ? change?.devices : counted;
    devices = devices === undefined || number === undefined ? undefined : devices + number;
  }
  if (!isResultPrinted || devices !== undefined || changes.length > 0) printDone(text, { devices, changes });
}

/** The ids of the changes of writes, for the command that reverts them; none if there are too many. */
export async function readChangeIds(
  session: Session,
  writes: readonly WrittenRequest[],
): Promise<readonly string[]> {
  if (!namesReverts(session) || writes.length > MAX_CHANGES) return [];
  const ids: string[] = [];
  for (const { requestId } of writes) {
    const change = requestId === undefined ? undefined : await readChangeOfRequest(session.muster, requestId);
    if (change) ids.push(change.id);
  }
  return ids;
}

/** Prints a message about a write whose response contains `change_id`. */
export async function reportChange({ muster }: Session, text: string, response: ApiResponse): Promise<void> {
  const { change_id: id } = asObject(response.body);
  if (id === null) {
    printDone(`${text}, which changed nothing`);
    return;
  }
  const change = String(toNumber(id));
  const { requestId } = writeOf(response);
  const record = requestId === undefined ? undefined : await readChangeOfRequest(muster, requestId);
  printDone(`${text} with change ${change}`, { devices: record?.devices, changes: [change] });
}

/** What a command did, as sentences. If its changes are known, the last one is the command that reverts them. */
export function doneText(text: string, { devices, changes = [] }: Done): string {
  const sentences = [text, ...(devices === undefined ? [] : [describeImpact({ devices }, 'resolve')])];
  return [...sentences.map((sentence) => `${sentence}.`), ...revertTextOfCommand(changes)].join(' ');
}

/** The command that reverts the changes of one command, as a sentence; none without changes, or with too many to name. */
export const revertTextOfCommand = (changes: readonly string[]): string[] =>
  changes.length === 0 || changes.length > MAX_CHANGES ? [] : [revertSentence(changes)];

const revertSentence = (changes: readonly string[]): string =>
  `Revert ${changes.length === 1 ? 'it' : 'them'} with: muster change revert ${changes.join(' ')}`;

/** How many changes one request can revert. */
const MAX_REVERTED = 100;
/** How many commands a message names. */
const MAX_COMMANDS = 10;

/**
 * The commands that revert the changes of an import, as lines, however many there are. The last changes are reverted first: they can
 * depend on those before them.
 */
export function revertLinesOfImport(changes: readonly string[]): string[] {
  if (changes.length === 0) return [];
  if (changes.length <= MAX_REVERTED) return [revertSentence(changes)];
  const commands: string[] = [];
  for (let end = changes.length; end > 0 && commands.length < MAX_COMMANDS; end -= MAX_REVERTED)
    commands.push(`muster change revert ${changes.slice(Math.max(0, end - MAX_REVERTED), end).join(' ')}`);
  const omitted = changes.length - MAX_COMMANDS * MAX_REVERTED;
  return [
    `Revert the ${String(changes.length)} changes with, in this order:`,
    ...commands.map((command) => `  ${command}`),
    ...(omitted > 0 ? [`  and the ${String(omitted)} changes before them: see "muster change list"`] : []),
  ];
}

/** How many devices are affected, as a sentence without its full stop. */
export const describeImpact = (
  { devices }: Pick<Impact, 'devices'>,
  verb: 'resolve' | 'would resolve',
): string =>
  devices === 0
    ? 'No device resolves another value'
    : `${pluralize(devices, 'device')} ${verb === 'resolve' && devices === 1 ? 'resolves' : verb} another value`;
