import { InventoryError } from '../../core/errors';
import { ownParent } from './line-conflicts';
import { FailedReferenceError, type MissingLocation, MissingReferenceError } from './line-faults';
import type { ImportLine } from './line-kinds';

/** The line of a resource that another line references. */
export interface ReferencedLine {
  readonly number: number;
  readonly isFaulty: boolean;
  readonly isCreated: boolean;
}

/** What is known of the lines that may describe the resources that a line references, by its members. */
export interface OtherLines {
  /** The line that names the resource of a member first. */
  findLine(member: string): ReferencedLine | undefined;
  /** Whether a line of which it is not known what it describes can describe the resource of a member. */
  hasUnidentifiedLines(member: string): boolean;
}

/** The fault (405) of a line that references a resource that does not exist. */
export function missingReference(
  line: ImportLine,
  member: string,
  name: string,
  others: OtherLines,
): InventoryError {
  if (member === 'parent' && name === line.body['name']) return ownParent();
  const what = `${member === 'parent' ? 'device' : member} ${JSON.stringify(name)}`;
  const referenced = others.findLine(member);
  if (referenced?.isFaulty) return new FailedReferenceError(member, what, referenced.number);
  // All other resources are written before the devices, and parents before their children.
  if (member === 'parent' && referenced)
    return InventoryError.validationException(
      'parent',
      'inconsistent',
      `the ${what} of line ${String(referenced.number)} is a descendant of this device`,
    );
  const message = `there is no ${what} in ${member === 'cell' ? regionText(line) : 'this project'}`;
  // Otherwise the line that creates it is to be corrected.
  if (others.hasUnidentifiedLines(member))
    return new MissingReferenceError(member, `${message}, or its line is invalid`);
  return new MissingReferenceError(member, message, missingLocations(line, member, others));
}

/**
 * The regions and cells that do not exist because that of a member does not: without its region, there is no cell. A region that
 * another line creates may exist only until the import is rolled back. A cell that another line may create is not among them.
 */
function missingLocations(
  { body: { region, cell } }: ImportLine,
  member: string,
  others: OtherLines,
): MissingLocation[] {
  if (typeof region !== 'string' || (member !== 'region' && member !== 'cell')) return [];
  const isNew = member === 'region' || others.findLine('region')?.isCreated;
  return [
    ...(isNew ? [{ kind: 'region', name: region } as const] : []),
    ...(typeof cell === 'string' && !others.hasUnidentifiedLines('cell')
      ? [{ kind: 'cell', region, name: cell } as const]
      : []),
  ];
}

/** The region of the cell that a line names. */
const regionText = ({ body: { region } }: ImportLine): string =>
  typeof region === 'string' ? `the region ${JSON.stringify(region)}` : 'the region of the device';
