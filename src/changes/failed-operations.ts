import type { DetailCode, ErrorDetail } from '../core/error-details';
import { detailsOf, type InventoryError, type ItemError, OperationsError } from '../core/errors';
import { membersIn, type TrackedResource } from './resource-snapshot';
import { resourceKey } from './touched-resources';

/** An operation of a sequence that failed, or that was not tried. */
export interface FailedOperation {
  /** Its position, counted from 0. */
  readonly index: number;
  /** Undefined if it was not tried, because it refers to what another failed operation creates. */
  readonly error?: InventoryError | undefined;
  /** Whether it could only create resources. Other operations depend on them by references only. */
  readonly onlyCreates?: boolean | undefined;
  /** What it had locked when it failed; absent: it did not run. */
  readonly touched?: readonly TrackedResource[];
}

/** The kinds of resources that decide where other resources are. */
const LOCATIONS: ReadonlySet<string> = new Set(['region', 'cell']);

/**
 * The operations of a sequence that failed, in order. They have no effect, so a later operation can fail for this reason only,
 * such as one that creates a resource with the name of another one that was not deleted. The errors of such operations are not
 * reported: they can be wrong.
 */
export class FailedOperations {
  private readonly indexes = new Set<number>();
  private readonly faults: ItemError[] = [];
  /** What the operations would have written: the resources, their names, and the ids in their members. */
  private readonly resources = new Set<string>();
  private readonly names = new Set<string>();
  private readonly references = new Set<unknown>();
  private hasLocation = false;
  /** Whether it is not known what one of them would have written. */
  private hasUnknown = false;

  get isEmpty(): boolean {
    return this.indexes.size === 0;
  }

  /** Whether one of these operations failed. @param indexes their positions */
  includeAny(indexes: readonly number[]): boolean {
    return indexes.some((index) => this.indexes.has(index));
  }

  /** Adds the next operation that failed. */
  add({ index, error, onlyCreates = false, touched }: FailedOperation): void {
    // What did not run has an error of its own request, which does not depend on others.
    if (error && !(touched && this.canCause(error, touched))) this.faults.push({ index, error });
    this.indexes.add(index);
    if (onlyCreates) return;
    if (!touched || touched.length === 0) this.hasUnknown = true;
    for (const resource of touched ?? []) this.addResource(resource);
  }

  /** Ends the sequence if an operation has failed. @throws OperationsError */
  throwIfAny(): void {
    const [first, ...others] = this.faults;
    if (first) throw new OperationsError([first, ...others]);
  }

  private addResource({ mapping, projectId, id, before }: TrackedResource): void {
    this.resources.add(resourceKey(mapping, projectId, id));
    this.hasLocation ||= LOCATIONS.has(mapping.kind);
    if (!before) return;
    this.names.add(before.name);
    for (const value of Object.values(JSON.parse(membersIn(before)) as object)) this.references.add(value);
    for (const label of before.labelIds ?? []) this.references.add(label);
  }

  /** Whether the error of an operation may be a consequence of what these operations did not do. */
  private canCause(error: InventoryError, touched: readonly TrackedResource[]): boolean {
    return detailsOf(error).some(
      (detail) => DEPENDENT.has(detail.code) && (this.hasUnknown || this.canCauseDetail(detail, touched)),
    );
  }

  /** The same, for one detail, if it is known what these operations would have written. */
  private canCauseDetail(
    { code, field, message }: ErrorDetail,
    touched: readonly TrackedResource[],
  ): boolean {
    const isSame = touched.some(({ mapping, projectId, id }) =>
      this.resources.has(resourceKey(mapping, projectId, id)),
    );
    switch (code) {
      case 'duplicate':
        // The message has the name, or names the resource that has the address.
        return [...this.names].some((name) => ` ${message} `.includes(` ${name} `));
      case 'in_use':
        return touched.some(({ id }) => this.references.has(id));
      case 'too_long':
        return isSame;
      case 'version_mismatch':
        // A region raises the versions of the cells and devices that it takes from others.
        return isSame || this.hasLocation;
      default:
        return field.endsWith('cell_id') ? isSame || this.hasLocation : this.resources.size > 0;
    }
  }
}

/**
 * The errors that other operations can cause: they depend on names, addresses, references, sizes and versions. All others are
 * about the operation itself, or about what a sequence does not change, such as roles and definitions.
 */
const DEPENDENT: ReadonlySet<DetailCode> = new Set<DetailCode>([
  'changed_later',
  'duplicate',
  'in_use',
  'inconsistent',
  'limit_exceeded',
  'too_long',
  'version_mismatch',
]);
