import type { DetailCode, ErrorDetail } from '../core/error-details';
import { detailsOf, type InventoryError, type ItemError, OperationsError } from '../core/errors';
import type { TrackedResource } from './resource-snapshot';
import { resourceKey } from './touched-resources';

/** An operation of a sequence that failed, or that was not tried. */
export interface FailedOperation {
  /** Its position, counted from 0. */
  readonly index: number;
  /** Undefined if it was not tried, because it refers to what another failed operation creates. */
  readonly error?: InventoryError | undefined;
  /**
   * Whether it could only create resources. Other operations depend on them by references only: with one resource more, every name
   * that is taken and every resource that is in use still is.
   */
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
  /** The resources that the operations, apart from creations, would have written. */
  private readonly resources = new Set<string>();
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
    // The error of an operation that did not run is about its own request, and no consequence of others.
    if (error && !(touched && this.canCause(error, touched))) this.faults.push({ index, error });
    this.indexes.add(index);
    if (onlyCreates) return;
    if (!touched || touched.length === 0) this.hasUnknown = true;
    for (const { mapping, projectId, id } of touched ?? []) {
      this.resources.add(resourceKey(mapping, projectId, id));
      this.hasLocation ||= LOCATIONS.has(mapping.kind);
    }
  }

  /** Ends the sequence if an operation has failed. @throws OperationsError */
  throwIfAny(): void {
    const [first, ...others] = this.faults;
    if (first) throw new OperationsError([first, ...others]);
  }

  /** Whether the error of an operation may be a consequence of what these operations did not do. */
  private canCause(error: InventoryError, touched: readonly TrackedResource[]): boolean {
    return detailsOf(error).some(
      (detail) =>
        DEPENDENT_CODES.has(detail.code) && (this.hasUnknown || this.canCauseDetail(detail, touched)),
    );
  }

  /** The same, for one detail, if it is known what these operations would have written. */
  private canCauseDetail({ code, field }: ErrorDetail, touched: readonly TrackedResource[]): boolean {
    if (this.resources.size === 0) return false;
    // A region also writes the cells and devices that it takes from others: their versions, and where they are.
    const mayHaveWritten =
      this.hasLocation ||
      touched.some(({ mapping, projectId, id }) => this.resources.has(resourceKey(mapping, projectId, id)));
    switch (code) {
      case 'too_long':
      case 'version_mismatch':
        return mayHaveWritten;
      default:
        // Any write can free a name or an address, end a reference, or resolve a contradiction, also of what it has not locked
        // when it fails. Only the cell of a device depends on nothing but the places of both.
        return field.endsWith('cell_id') ? mayHaveWritten : true;
    }
  }
}

/**
 * The errors that other operations can cause: they depend on names, addresses, references, sizes and versions. All others are
 * about the operation itself, or about what a sequence does not change, such as roles and definitions.
 */
const DEPENDENT_CODES: ReadonlySet<DetailCode> = new Set<DetailCode>([
  'changed_later',
  'duplicate',
  'in_use',
  'inconsistent',
  'limit_exceeded',
  'too_long',
  'version_mismatch',
]);
