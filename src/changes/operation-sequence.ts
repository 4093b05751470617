import { InventoryError, operationName, OperationsError } from '../core/errors';
import { ConcurrentModificationError } from '../database/errors/postgres-error';
import { inSavepoint } from '../database/transaction';
import { attempt, type Attempt } from './attempt';
import { type ChangeDiff, changesNothing } from './change-diff';
import type { ChangeSet } from './change-set';
import { FailedOperations } from './failed-operations';
import { MAX_TOUCHED } from './large-operation';
import { type Operation, RecordedResult, resultOf, type StoredChange, type WriteMode } from './operation';
import { assertTimeLeft, MAX_CHECK_MS } from './item-operations';

/** One of several operations that run in order, in one change. */
export interface SequencedOperation {
  readonly operation: Operation<unknown>;
  readonly mode: WriteMode;
  /** The id of the resource that it creates; absent: the next one of the sequence. */
  readonly newId?: number | undefined;
  /** The positions of the operations that write what it refers to. It is not tried if one of them fails. */
  readonly dependsOn?: readonly number[];
  /** Whether it can only create resources. */
  readonly onlyCreates?: boolean;
}

/** An operation of a dry run that could not be prepared, so it is not run. */
export interface RejectedOperation extends Pick<SequencedOperation, 'dependsOn' | 'onlyCreates'> {
  /** Why; undefined if nobody tried, because it refers to what another rejected operation creates. */
  readonly rejection: InventoryError | undefined;
}

const isRejected = (operation: SequencedOperation | RejectedOperation): operation is RejectedOperation =>
  'rejection' in operation;

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
 * may depend on it. A dry run tries those after it, too, and reports the errors that are no consequences of others. For items
 * that are independent of each other, see `prepareItems`.
 */
export function sequenceOf(
  operations: readonly (SequencedOperation | RejectedOperation)[],
  { note, begin, validate, before, after, inspect, recorded }: SequenceOptions,
): Operation<SequenceResult> {
  const prepared = operations.flatMap((one) => (isRejected(one) ? [] : [one.operation]));
  return {
    note,
    inspect,
    skipsRoleChecks: prepared.some(({ skipsRoleChecks }) => skipsRoleChecks === true),
    check: () => checkAll(operations),
    release: async () => {
      for (const operation of prepared) await operation.release?.();
    },
    run: async (change) => {
      begin(change);
      await before?.(change);
      const results = await runAll(change, operations, validate);
      await after?.(change);
      return new RecordedResult(async (stored) => {
        await recorded?.(stored);
        const read: unknown[] = [];
        for (const result of results) read.push(await resultOf(result, stored));
        return { changeId: stored.changeId ?? null, results: read };
      });
    },
    invalidates: [...new Set(prepared.flatMap(({ invalidates = [] }) => invalidates))],
  };
}

/** @throws InventoryError with the errors of all operations whose check fails, 400 if the checks take too long */
async function checkAll(operations: readonly (SequencedOperation | RejectedOperation)[]): Promise<void> {
  // Before any of them is written, which takes long.
  assertFewTouched(
    operations.reduce((sum, one) => sum + (isRejected(one) ? 0 : (one.operation.creates ?? 0)), 0),
  );
  const deadline = performance.now() + MAX_CHECK_MS;
  const failed = new FailedOperations();
  let isValid = true;
  for (const [index, one] of operations.entries()) {
    assertTimeLeft(deadline);
    if (isRejected(one)) {
      if (one.rejection) failed.add({ index, error: one.rejection });
      continue;
    }
    const tried = await attempt(async () => one.operation.check?.());
    if (!('error' in tried)) continue;
    failed.add({ index, error: tried.error });
    isValid = false;
  }
  if (!isValid) failed.throwIfAny();
}

/**
 * Runs operations in order.
 * @returns their results, which can depend on the change record
 * @throws OperationsError of the first that fails; in a dry run, of all that fail
 */
async function runAll(
  change: ChangeSet,
  operations: readonly (SequencedOperation | RejectedOperation)[],
  validate: SequenceOptions['validate'],
): Promise<readonly unknown[]> {
  const isDryRun = change.ctx.preview !== undefined;
  const failed = new FailedOperations();
  const results: unknown[] = [];
  let length = 0;
  for (const [index, operation] of operations.entries()) {
    const { dependsOn = [], onlyCreates } = operation;
    if (isRejected(operation) || failed.includeAny(dependsOn)) {
      const error = isRejected(operation) ? operation.rejection : undefined;
      failed.add({ index, error, onlyCreates });
      continue;
    }
    const part = change.part({ newId: operation.newId, locksFirst: isDryRun });
    const tried = await runPart(change, part, operation, index, validate);
    if ('error' in tried) {
      failed.add({ index, error: tried.error, onlyCreates, touched: part.trackedResources });
      if (isDryRun) continue;
      break;
    }
    if (change.touched.count > MAX_TOUCHED) failed.throwIfAny();
    assertFewTouched(change.touched.count);
    // After an error, there is no response that contains them.
    if (!failed.isEmpty) continue;
    results.push(tried.result);
    length += JSON.stringify(tried.result ?? null).length;
    if (length > MAX_RESULTS_LENGTH) throw limitError('The results have more than 64 MiB.');
  }
  failed.throwIfAny();
  return results;
}

/** Runs one operation as a part of the change. If it fails in a dry run, it has no effect, and others can be tried. */
async function runPart(
  change: ChangeSet,
  part: ChangeSet,
  { operation: { run }, mode }: SequencedOperation,
  index: number,
  validate: SequenceOptions['validate'],
): Promise<Attempt<unknown>> {
  const runInPart = async () => {
    const result = await run(part);
    if (mode === 'run' && part.trackedResources.length === 0) return { result, isKept: true };
    const diff = await validate(part);
    assertInProject(diff);
    return { result, isKept: mode === 'run' || part.writesUnrecorded || !changesNothing(diff) };
  };
  const tried =
    mode === 'update' || change.ctx.preview
      ? await inSavepoint(
          change.tx,
          () => attempt(runInPart),
          (done) => 'result' in done && done.result.isKept,
        )
      : await attempt(runInPart);
  if ('error' in tried) return tried;
  const { result, isKept } = tried.result;
  if (isKept) {
    change.add(part, operationName(index));
    return { result };
  }
  const again = await attempt(() => runUnchanged(change, run, validate));
  if ('error' in again) throw new OperationsError([{ index, error: again.error }]);
  return again;
}

/**
 * Runs again, without raising versions, an update that changed nothing and was rolled back: its result is the unchanged resource, as
 * of `ChangesService.update`.
 * @throws ConcurrentModificationError if it changes something now
 */
async function runUnchanged(
  change: ChangeSet,
  run: Operation<unknown>['run'],
  validate: SequenceOptions['validate'],
): Promise<unknown> {
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
