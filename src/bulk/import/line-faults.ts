import { InventoryError } from '../../core/errors';
import { TemporarySpaceError } from './temporary-space';

/** A region or cell that a line names and that does not exist, as the line of an import that creates it. */
export type MissingLocation =
  | { readonly kind: 'region'; readonly name: string }
  | { readonly kind: 'cell'; readonly region: string; readonly name: string };

/** A line references a resource that does not exist. */
export class MissingReferenceError extends InventoryError {
  /**
   * @param message of the member, without its name
   * @param missing the regions and cells that do not exist, and that no other line may describe: the caller can create them, and
   *   import the line then
   */
  constructor(
    member: string,
    message: string,
    readonly missing: readonly MissingLocation[] = [],
  ) {
    super('validation_exception', `${member}: ${message}`, [{ field: member, code: 'not_found', message }]);
  }
}

/** A line references a resource of a faulty line. The line itself may be correct. */
export class FailedReferenceError extends InventoryError {
  /** @param what the resource: `region "north"` */
  constructor(member: string, what: string, line: number) {
    const message = `the ${what} of line ${String(line)} was not imported either`;
    super('validation_exception', `${member}: ${message}`, [{ field: member, code: 'not_found', message }]);
  }
}

/** Several faults of a line. It has the code of the first one. */
class LineFaultsError extends InventoryError {
  readonly missing: readonly MissingLocation[];

  constructor(faults: readonly [InventoryError, ...InventoryError[]]) {
    const message = faults.map((fault) => fault.message).join('; ');
    super(
      faults[0].code,
      message,
      faults.flatMap(({ details }) => details),
    );
    this.missing = faults.flatMap(missingOf);
  }
}

/** The regions and cells that do not exist, because of which a line fails. */
export const missingOf = (error: InventoryError): readonly MissingLocation[] =>
  error instanceof MissingReferenceError || error instanceof LineFaultsError ? error.missing : [];

/**
 * One error for all faults of a line; undefined if it has none. That it references a faulty line counts only if nothing else is wrong:
 * the line itself may be correct.
 */
export function combineFaults(faults: readonly InventoryError[]): InventoryError | undefined {
  const [first, ...others] = faults.filter((fault) => !(fault instanceof FailedReferenceError));
  if (!first) return faults[0];
  return others.length === 0 ? first : new LineFaultsError([first, ...others]);
}

/** Whether an error is the fault of one line. Others concern the import as a whole. */
export const isLineFault = (error: unknown): error is InventoryError =>
  error instanceof InventoryError && error.status < 500 && !(error instanceof TemporarySpaceError);
