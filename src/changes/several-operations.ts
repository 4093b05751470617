import { toInventoryError } from '../database/errors/database-error-mapping';
import { InventoryError, batchError, type BatchItemError } from '../core/errors';
import { sql } from '../database/sql';
import type { ChangeSet } from './change-set';
import { type Operation, RecordedResult, resultOf } from './operation';

/**
 * Prepares several operations as one: all are done, or none. Its reason is the first note of an operation. It fails with
 * the error of the first operation that fails, with the details of all that fail.
 * @throws InventoryError with the details of all operations that the roles do not allow
 */
export function prepareAll<T>(prepare: readonly (() => Operation<T>)[]): Operation<T[]> {
  const operations = requireAllowed(prepare);
  return {
    note: operations.find(({ note }) => (note ?? '') !== '')?.note,
    check: () => requireChecked(operations),
    run: (change) => runAll(change, operations),
    invalidates: [...new Set(operations.flatMap(({ invalidates = [] }) => invalidates))],
  };
}

/** @throws InventoryError with the details of all operations that the roles do not allow */
function requireAllowed<T>(prepare: readonly (() => Operation<T>)[]): Operation<T>[] {
  const allowed: Operation<T>[] = [];
  const errors: BatchItemError[] = [];
  for (const [index, prepareOne] of prepare.entries()) {
    try {
      allowed.push(prepareOne());
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw batchError(errors);
  return allowed;
}

/** How long (ms) the checks of one request may take together. */
const MAX_CHECK_MS = 20_000;

/** @throws InventoryError with the details of all operations whose check fails, 400 if the checks take too long */
async function requireChecked(operations: readonly Operation<unknown>[]): Promise<void> {
  const errors: BatchItemError[] = [];
  const deadline = performance.now() + MAX_CHECK_MS;
  for (const [index, { check }] of operations.entries()) {
    if (performance.now() > deadline)
      throw InventoryError.invalid(
        'body',
        'limit_exceeded',
        'takes too long to check: send fewer items at a time',
      );
    try {
      await check?.();
    } catch (error) {
      if (!(error instanceof InventoryError) || error.status >= 500) throw error;
      errors.push({ index, error });
    }
  }
  if (errors.length > 0) throw batchError(errors);
}

async function runAll<T>(
  change: ChangeSet,
  operations: readonly Operation<T>[],
): Promise<RecordedResult<T[]>> {
  const results: (T | RecordedResult<T>)[] = [];
  const errors: BatchItemError[] = [];
  for (const [index, operation] of operations.entries()) {
    const tried = await tryRun(change, operation);
    if ('error' in tried) errors.push({ index, error: tried.error });
    else results.push(tried.result);
  }
  if (errors.length > 0) throw batchError(errors);
  return new RecordedResult(async (stored) => {
    const read: T[] = [];
    for (const result of results) read.push(await resultOf(result, stored));
    return read;
  });
}

/**
 * Runs one operation in a savepoint. If it fails, only this operation is rolled back, and the others are still tried.
 */
async function tryRun<T>(
  change: ChangeSet,
  { run }: Operation<T>,
): Promise<{ readonly result: T | RecordedResult<T> } | { readonly error: InventoryError }> {
  await change.tx.execute(sql`SAVEPOINT operation`);
  try {
    const result = await run(change);
    await change.tx.execute(sql`RELEASE SAVEPOINT operation`);
    return { result };
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : toInventoryError(thrown);
    // Retryable and unexpected errors are not caused by a single operation.
    if (!error || error.status >= 500) throw thrown;
    await change.tx.execute(sql`ROLLBACK TO SAVEPOINT operation`);
    // Otherwise the savepoint stays open, and the savepoints of later operations nest inside it.
    await change.tx.execute(sql`RELEASE SAVEPOINT operation`);
    return { error };
  }
}
