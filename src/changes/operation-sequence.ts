import { InventoryError, operationError, operationName } from '../core/errors';
import { toInventoryError } from '../database/errors/database-error-mapping';
import { ConcurrentModificationError } from '../database/errors/postgres-error';
import { inSavepoint } from '../database/transaction';
import { type ChangeDiff, changesNothing } from './change-diff';
import type { ChangeSet } from './change-set';
import { MAX_TOUCHED } from './large-operation';
import { type Operation, RecordedResult, resultOf, type StoredChange, type WriteMode } from './operation';
import { assertTimeLeft, MAX_CHECK_MS } from './item-operations';

/** One of several operations that run in order, in one change. */
export interface SequencedOperation {
  readonly operation: Operation<unknown>;
  readonly mode: WriteMode;
  /** The id of the resource that it creates; absent: the next one of the sequence. */
  readonly newId?: number | undefined;
}

/** The results of a sequence of operations, in order. */
export interface SequenceResult {
  /** Null if they changed nothing, so that there is no record. */
  readonly changeId: number | null;
  readonly results: readonly unknown[];
}

/** What else a change of several operations does. */
export interface SequenceHooks {
  /** What has the reason of the change, for its error; absent: the header. */
  readonly reasonField?: string | undefined;
  /** Runs before the first operation. @throws InventoryError if the change must not be made */
  readonly before?: (change: ChangeSet) => Promise<void>;
  /** Runs after the last operation. */
  readonly after?: (change: ChangeSet) => Promise<void>;
  /** See `Operation.inspect`. */
  readonly inspect?: Operation<SequenceResult>['inspect'];
  /** Runs when the record of the change is stored. */
  readonly recorded?: (stored: StoredChange) => Promise<void>;
}

export interface SequenceOptions extends SequenceHooks {
  readonly note: string | null | undefined;
  /** Checks the change as a whole, before its first part. @throws InventoryError */
  readonly begin: (change: ChangeSet) => void;
  /** Compares both sides of what an operation touched, and validates it. @throws InventoryError */
  readonly validate: (part: ChangeSet) => Promise<ChangeDiff>;
}

/** The results are in memory, and are stored for a repeated request. */
const MAX_RESULTS_LENGTH = 64 * 1024 * 1024;

const limitError = (message: string): InventoryError =>
  InventoryError.invalid('operations', 'limit_exceeded', `${message} Send fewer at a time.`);

/** @throws InventoryError 400 */
function assertFewTouched(count: number): void {
  if (count > MAX_TOUCHED)
    throw limitError(`The operations touch more than ${String(MAX_TOUCHED)} resources.`);
}

/**
 * Combines operations to one, for a batch. They run in order, and each sees the effects of those before it. Each is
 * validated as if it ran alone. The first that fails ends the sequence, with its own error, which names it: those after it
 * may depend on it. For items that are independent of each other, see `prepareItems`.
 */
export const sequenceOf = (
  operations: readonly SequencedOperation[],
  { note, begin, validate, before, after, inspect, recorded }: SequenceOptions,
): Operation<SequenceResult> => ({
  note,
  inspect,
  skipsRoleChecks: operations.some(({ operation }) => operation.skipsRoleChecks === true),
  check: async () => {
    // Before any of them is written, which takes long.
    assertFewTouched(operations.reduce((sum, { operation }) => sum + (operation.creates ?? 0), 0));
    const deadline = performance.now() + MAX_CHECK_MS;
    for (const [index, { operation }] of operations.entries())
      await namingOperation(index, async () => {
        assertTimeLeft(deadline);
        await operation.check?.();
      });
  },
  release: async () => {
    for (const { operation } of operations) await operation.release?.();
  },
  run: async (change) => {
    begin(change);
    await before?.(change);
    const results: unknown[] = [];
    let length = 0;
    for (const [index, operation] of operations.entries()) {
      const result = await namingOperation(index, () => runPart(change, operation, index, validate));
      results.push(result);
      length += JSON.stringify(result ?? null).length;
      if (length > MAX_RESULTS_LENGTH) throw limitError('The results have more than 64 MiB.');
      assertFewTouched(change.touched.count);
    }
    await after?.(change);
    return new RecordedResult(async (stored) => {
      await recorded?.(stored);
      const read: unknown[] = [];
      for (const result of results) read.push(await resultOf(result, stored));
      return { changeId: stored.changeId ?? null, results: read };
    });
  },
  invalidates: [...new Set(operations.flatMap(({ operation: { invalidates = [] } }) => invalidates))],
});

/** Names the operation in the error of `work`. Conflicts that are retried, and unexpected errors, stay as they are. */
export async function namingOperation<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : toInventoryError(thrown);
    throw error && error.status < 500 ? operationError(index, error) : thrown;
  }
}

/** Runs one operation as a part of the change. @returns its result, which can depend on the change record */
async function runPart(
  change: ChangeSet,
  { operation, mode, newId }: SequencedOperation,
  index: number,
  validate: SequenceOptions['validate'],
): Promise<unknown> {
  if (mode === 'update') return runUpdate(change, operation, index, validate);
  const part = change.part({ newId });
  const result = await operation.run(part);
  if (part.trackedResources.length > 0) assertInProject(await validate(part));
  change.add(part, operationName(index));
  return result;
}

/** Like `ChangesService.update`: an update that changes nothing is rolled back, and done again without raising versions. */
async function runUpdate(
  change: ChangeSet,
  { run }: Operation<unknown>,
  index: number,
  validate: SequenceOptions['validate'],
): Promise<unknown> {
  const part = change.part({});
  const runInPart = async () => {
    const result = await run(part);
    const diff = await validate(part);
    assertInProject(diff);
    return { result, isKept: part.writesUnrecorded || !changesNothing(diff) };
  };
  const { result, isKept } = await inSavepoint(change.tx, runInPart, (done) => done.isKept);
  if (isKept) {
    change.add(part, operationName(index));
    return result;
  }
  const unchanged = change.part({ keepsVersions: true });
  const current = await run(unchanged);
  // The rollback has released the locks, so another change may have come in between.
  if (!changesNothing(await validate(unchanged))) throw new ConcurrentModificationError();
  return current;
}

/** A root user can reach resources of other projects by their ids, but a change belongs to one project. */
function assertInProject({ ctx, projectId }: ChangeDiff): void {
  if (projectId === ctx.projectId) return;
  throw InventoryError.invalid(
    'path',
    'inconsistent',
    `leads to the project ${projectId}, but the request is for ${ctx.projectId}: send it for that project`,
  );
}
