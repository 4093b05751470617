import { InventoryError } from '../../core/errors';
import { identityOf } from './line-check';
import { ownParent } from './line-conflicts';
import { FaultyReferenceError, type MissingLocation, MissingReferenceError } from './line-faults';
import { type ImportLine, type LineGroup, lineGroups, lineName } from './line-kinds';

/** The line of a resource that another line references. */
export interface ReferencedLine {
  readonly number: number;
  readonly isFaulty: boolean;
  readonly isCreated: boolean;
}

/** What is known of the other lines of an import. */
export interface OtherLines {
  /** The line that names a resource first. */
  findLine(identity: string): ReferencedLine | undefined;
  /** Whether a line of which it is not known what it describes can be of a group. */
  hasUnidentifiedLines(group: LineGroup): boolean;
}

/** The fault (405) of a line that references a resource that does not exist. */
export function missingReference(
  line: ImportLine,
  member: string,
  name: string,
  others: OtherLines,
): InventoryError {
  if (member === 'parent' && name === lineName(line)) return ownParent();
  const what = `${member === 'parent' ? 'device' : member} ${JSON.stringify(name)}`;
  const identity = referencedIdentity(line, member, name);
  const referenced = identity === undefined ? undefined : others.findLine(identity);
  if (referenced?.isFaulty) return new FaultyReferenceError(member, what, referenced.number);
  // All other resources are written before the devices, and parents before their children.
  if (member === 'parent' && referenced)
    return InventoryError.validationException(
      'parent',
      'inconsistent',
      `the ${what} of line ${String(referenced.number)} is a descendant of this device`,
    );
  const message = `there is no ${what} in ${member === 'cell' ? regionText(line) : 'this project'}`;
  // Otherwise the line that creates it is to be corrected.
  if (others.hasUnidentifiedLines(referencedGroup(member)))
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
  const isNew = member === 'region' || others.findLine(identityOf(lineGroups.regions, region))?.isCreated;
  return [
    ...(isNew ? [{ kind: 'region', name: region } as const] : []),
    ...(typeof cell === 'string' && !others.hasUnidentifiedLines(lineGroups.cells)
      ? [{ kind: 'cell', region, name: cell } as const]
      : []),
  ];
}

/** The region of the cell that a line names. */
const regionText = ({ body: { region } }: ImportLine): string =>
  typeof region === 'string' ? `the region ${JSON.stringify(region)}` : 'the region of the device';

/** The group of the resources that a member references. */
function referencedGroup(member: string): LineGroup {
  if (member === 'parent') return lineGroups.devices;
  if (member === 'cloud') return lineGroups.clouds;
  return member === 'region' ? lineGroups.regions : lineGroups.cells;
}

/** The identity of a referenced resource; undefined for a cell in the current region of a device. */
export function referencedIdentity({ body }: ImportLine, member: string, name: string): string | undefined {
  const group = referencedGroup(member);
  if (group !== lineGroups.cells) return identityOf(group, name);
  return typeof body['region'] === 'string' ? identityOf(group, body['region'], name) : undefined;
}
