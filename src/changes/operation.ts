import type { Transaction } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import type { Precondition } from '../http/preconditions';
import type { BatchedChange } from './batched-change';
import type { ChangeSet } from './change-set';
import type { LockedResource } from './row-statements';

/** A cache of what an operation writes. */
interface Cache {
  invalidate(): void;
}

/**
 * A write that a service has prepared: its body is valid, and the roles of the caller allow it, as far as the access of
 * the route does not decide that. `ChangesService` runs it in a change set, alone or together with others. An operation
 * has no state, because it runs again after a conflict with a concurrent change.
 */
export interface Operation<T> {
  /** The reason of the change, from the body. It is used if the request has no header for it. */
  readonly note?: string | null | undefined;
  /** A check that takes long, so it runs before the transaction. @throws InventoryError 400 */
  readonly check?: (() => Promise<void>) | undefined;
  /**
   * @returns the result: plain JSON, because it is stored for a repetition with the same `Idempotency-Key`
   * @throws InventoryError if the write conflicts with the current inventory
   */
  readonly run: (change: ChangeSet) => Promise<T | RecordedResult<T>>;
  /** The caches to invalidate after the transaction, even if it failed: the commit may have succeeded nevertheless. */
  readonly invalidates?: readonly Cache[];
}

/** A change whose record is stored but not yet committed. */
export interface StoredChange {
  readonly tx: Transaction;
  /** Undefined if an update changed nothing, so that nothing was recorded. */
  readonly changeId: number | undefined;
}

/** The result of an operation that depends on the change record. */
export class RecordedResult<T> {
  /** @param read reads the result, within the same transaction. A dry run does not call it. */
  constructor(readonly read: (stored: StoredChange) => Promise<T>) {}
}

/** The result of an operation, once the record of its change is stored. */
export async function resultOf<T>(result: T | RecordedResult<T>, stored: StoredChange): Promise<T> {
  return result instanceof RecordedResult ? result.read(stored) : result;
}

/** A write of any size, in batches. */
export interface BatchedOperation<T> extends Pick<Operation<T>, 'note'> {
  /** The maximum number of devices whose resolved values may change, as far as the caller sees them. */
  readonly maxDevices?: number;
  /** Writes batches in the project of the request. @returns plain JSON */
  readonly run: (change: BatchedChange) => Promise<T>;
}

/**
 * The deletion of a resource. It throws 404, 409 with the number of references of each kind, or 412.
 * @param prepare deletes what belongs to the locked resource, once nothing refers to it
 */
export const deletion = (
  mapping: ResourceMapping,
  id: number | string,
  precondition: Precondition,
  prepare?: (change: ChangeSet, resource: LockedResource) => Promise<void>,
): Operation<void> => ({
  run: async (change) => {
    const resource = await change.lockForDelete(mapping, id, precondition);
    await change.delete(resource, prepare);
  },
});
