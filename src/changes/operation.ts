import type { AppliedProposal } from '../core/context/request-context';
import type { ChangePreview } from '../core/write-result';
import type { Transaction } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import type { Precondition } from '../http/preconditions';
import type { ChangeDiff } from './change-diff';
import type { ChangeSet } from './change-set';
import type { ImpactCount } from './impact-assessor';
import type { LockedResource } from './resource-snapshot';

/** What an operation has found out about the whole change. */
export interface Inspection {
  /** The response to a dry run, instead of the usual preview. */
  readonly preview?: ChangePreview;
  /** The impact of the change. It is computed once: here, or else before the record is stored. */
  readonly impact?: ImpactCount;
  /** The proposal that the change applies. */
  readonly proposal?: AppliedProposal;
  /** Why an admin passed what else the change lacks. The record has it, like that of a rule. */
  readonly override?: string | undefined;
}

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
  /** Releases what the check has reserved. Called once after it, whatever happened since. */
  readonly release?: (() => Promise<void>) | undefined;
  /** How many resources it creates at least, if it creates several; absent: unknown. */
  readonly creates?: number;
  /**
   * @returns the result: plain JSON, because it is stored for a repetition with the same `Idempotency-Key`
   * @throws InventoryError if the write conflicts with the current inventory
   */
  readonly run: (change: ChangeSet) => Promise<T | RecordedResult<T>>;
  /**
   * Looks at what the whole change did, before its record is stored.
   * @throws InventoryError if the change must not be made
   */
  readonly inspect?: ((change: ChangeDiff) => Promise<Inspection>) | undefined;
  /** Whether roles were not checked: see `withoutRoleChecks`. Then it can only be previewed. */
  readonly skipsRoleChecks?: boolean;
  /** The caches to invalidate after the transaction, even if it failed: the commit may have succeeded nevertheless. */
  readonly invalidates?: readonly Cache[];
}

/**
 * How `ChangesService` runs an operation. `update`: it may turn out to change nothing. Then it raises no version, and is not
 * in the record.
 */
export type WriteMode = 'run' | 'update';

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
