import type { ResourceShape } from '../database/resource-shape';

/** A resource's state at a moment within a transaction, as JSON texts. */
export interface Snapshot {
  readonly projectId: string;
  /** 0 for a project, whose id is its project's. */
  readonly id: number;
  readonly version: number;
  readonly name: string;
  readonly members: string;
  /** Undefined for what carries no variables. */
  readonly variables: string | undefined;
  /** The labels that it carries, which `members` tells by names that may be changed later; undefined where it can carry none. */
  readonly labelIds: readonly number[] | undefined;
  /** The database's time when it was so. */
  readonly readAt: string;
}

/** A resource that is locked until the transaction ends, as it was when the lock was got. */
export interface Locked extends Snapshot {
  readonly shape: ResourceShape;
}

/** A resource that a change touches. `after` is read when the change is finished. */
export interface Touched {
  readonly shape: ResourceShape;
  readonly projectId: string;
  readonly id: number;
  readonly before: Snapshot | undefined;
  deleted: boolean;
}
