import { InventoryError, itemsError, type ItemError } from '../core/errors';
import { inSavepoint } from '../database/transaction';
import { attempt, type Attempt } from './attempt';
import type { ChangeSet } from './change-set';
import { type Operation, RecordedResult, resultOf } from './operation';

/**
 * Prepares the operations of the items of an array body, each of which creates a resource, as one: all are done, or none. All are tried, so that the error has
 * the details of every item that fails; its code is that of the first. Its reason is the first note of an item. For
 * operations that depend on the effects of earlier ones, see `sequenceOf`.
 * @throws InventoryError with the details of all operations that the roles do not allow
 */
export function prepareItems<T>(prepare: readonly (() => Operation<T>)[]): Operation<T[]> {
  const operations = requireAllowed(prepare);
  return {
    note: operations.find(({ note }) => (note ?? '') !== '')?.note,
    check: () => requireChecked(operations),
    creates: operations.length,
    run: (change) => runAll(change, operations),
    invalidates: [...new Set(operations.flatMap(({ invalidates = [] }) => invalidates))],
  };
}

/** @throws InventoryError with the details of all operations that the roles do not allow */
function requireAllowed<T>(prepare: readonly (() => Operation<T>)[]): Operation<T>[] {
  const allowed: Operation<T>[] = [];
  const errors: ItemError[] = [];
  for (const [index, prepareOne] of prepare.entries()) {
    try {
      allowed.push(prepareOne());
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw itemsError(errors);
  return allowed;
}

/** How long (ms) the checks of one request may take together. */
export const MAX_CHECK_MS = 20_000;

/** @throws InventoryError 400 if the checks take too long */
export function assertTimeLeft(deadline: number): void {
  if (performance.now() > deadline)
    throw InventoryError.invalid(
      'body',
      'limit_exceeded',
      'takes too long to check: send fewer items at a time',
    );
}

/** @throws InventoryError with the details of all operations whose check fails, 400 if the checks take too long */
async function requireChecked(operations: readonly Operation<unknown>[]): Promise<void> {
  const errors: ItemError[] = [];
  const deadline = performance.now() + MAX_CHECK_MS;
  for (const [index, { check }] of operations.entries()) {
    assertTimeLeft(deadline);
    try {
      await check?.();
    } catch (error) {
      if (!(error instanceof InventoryError) || error.status >= 500) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw itemsError(errors);
}

async function runAll<T>(
  change: ChangeSet,
  operations: readonly Operation<T>[],
): Promise<RecordedResult<T[]>> {
  const results: (T | RecordedResult<T>)[] = [];
  const errors: ItemError[] = [];
  for (const [index, operation] of operations.entries()) {
    const tried = await tryRun(change, operation);
    if ('error' in tried) errors.push({ index, error: tried.error });
    else results.push(tried.result);
  }
  if (errors.length > 0) throw itemsError(errors);
  return new RecordedResult(async (stored) => {
    const read: T[] = [];
    for (const result of results) read.push(await resultOf(result, stored));
    return read;
  });
}

/**
 * Runs one operation in a savepoint. If it fails, only this operation is rolled back, and the others are still tried.
 */
const tryRun = <T>(change: ChangeSet, { run }: Operation<T>): Promise<Attempt<T | RecordedResult<T>>> =>
  inSavepoint(
    change.tx,
    () => attempt(() => run(change)),
    (tried) => 'result' in tried,
  );
