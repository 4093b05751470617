import { jsonText } from '../../../api/exact-json';
import { send } from '../../../api/request';
import { UNKNOWN_TAG, type ConflictValues } from '../../../components/conflict';
import { isObject } from '../../../components/is-object';
import type { WriteRequest, DeferredWrite } from '../../../components/planned-write';
import { readOwnVariable, seenVariable } from '../../../components/variable-write';
import type { CellEdit } from './cell-edit';
import {
  baseOf,
  cellsOf,
  currentOf,
  isChanged,
  isOfVariable,
  operationOf,
  pathOf,
  writesOf,
  type Known,
  type Write,
} from './batch-operations';
import { countedCells } from './edit-titles';
import { rejectedMessage, rejectedTitle } from './cell-faults';

/** The plan to write edited cells: all of them in one batch, if nothing of them was changed since it was read. */
export function planEdits(edits: readonly CellEdit[]): DeferredWrite {
  const writes = writesOf(edits);
  const [only] = edits;
  return {
    title: only && edits.length === 1 ? titleOf(only) : `Change ${countedCells(edits)}`,
    itemTitle: (fault) => rejectedTitle(edits, fault),
    itemMessage: (fault) => rejectedMessage(edits, fault),
    prepare: async (signal) =>
      prepareWrites(writes, await readEach(writes, (write) => withTag(write, signal))),
  };
}

/** What was read of the target of a write, with its tag: users who may not read changes do not get those of variables with a list. */
async function withTag(write: Write, signal: AbortSignal): Promise<Known> {
  const base = baseOf(write);
  if (!isOfVariable(write) || currentOf(base)?.etag !== UNKNOWN_TAG) return base;
  return seenVariable(currentOf(base), await readOwnVariable(write.owner, write.key, signal));
}

/**
 * @param bases what was read of the targets when they were edited, with their tags
 * @throws Error if a part is edited that its variable does not have any more
 */
function prepareWrites(writes: readonly Write[], bases: readonly Known[]): WriteRequest {
  const request = (known: readonly Known[]) => ({
    method: 'POST' as const,
    path: '/v1/batch',
    body: jsonText({ operations: writes.map((write, i) => operationOf(write, known[i] ?? baseOf(write))) }),
  });
  return {
    request: request(bases),
    conflict: {
      base: { values: cellsOf(writes, bases) },
      mine: { values: cellsOf(writes) },
      read: async (signal) => {
        const known = await readEach(writes, (write) => readTarget(write, signal));
        const [base, theirs] = [cellsOf(writes, bases), cellsOf(writes, known)];
        const names = new Set(
          Object.keys({ ...base, ...theirs }).filter(
            (name) => jsonText(base[name]) !== jsonText(theirs[name]),
          ),
        );
        const sideOf = (cells: ConflictValues) => ({
          values:
            names.size === 0
              ? cells
              : Object.fromEntries(Object.entries(cells).filter(([name]) => names.has(name))),
        });
        return {
          base: sideOf(base),
          theirs: sideOf(theirs),
          mine: sideOf(cellsOf(writes)),
          request: request(known),
          inConflict: bases.flatMap((one, i) => (isChanged(one, known[i] ?? one) ? [i] : [])),
        };
      },
    },
  };
}

function titleOf({ device, change }: CellEdit): string {
  if (change.type === 'member') return `Change ${device.name}`;
  return `${change.value ? 'Set' : 'Unset'} ${change.path.text} on ${change.owner.name}`;
}

/** How many targets are read at once. */
const READERS = 6;

/** Reads something of the targets of all writes, some at once. @throws ApiError, NetworkError */
async function readEach(
  writes: readonly Write[],
  read: (write: Write) => Promise<Known>,
): Promise<readonly Known[]> {
  const known = writes.map(baseOf);
  const queue = writes.entries();
  const reader = async () => {
    for (const [i, write] of queue) known[i] = await read(write);
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return known;
}

/** What the target of a write is now. */
async function readTarget(write: Write, signal: AbortSignal): Promise<Known> {
  if (isOfVariable(write)) return readOwnVariable(write.owner, write.key, signal);
  const { body } = await send({ method: 'GET', path: pathOf(write.owner) }, signal);
  const current = isObject(body) ? body : {};
  const { version } = current;
  const members = Object.fromEntries(write.changes.map(({ member }) => [member, current[member]]));
  return { version: typeof version === 'number' ? version : 0, members };
}
