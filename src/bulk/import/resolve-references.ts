import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Found } from './lookup-existing';
import { nameOf, type Line } from './line';
import { deviceIdentity, requireCreation } from './line-check';
import { lineGroups } from './line-kinds';
import type { SeenNames } from './name-index';

/** A line of which it is known what it is written to. */
export interface SettledLine {
  readonly line: Line;
  readonly id: number;
  readonly isNew: boolean;
  /** The ids of what it names, by columns; null also where it names nothing. */
  readonly references: Readonly<Record<string, number | null>>;
}

/** A line that the inventory, as it stands, does not take. */
export interface FailedLine {
  readonly line: number;
  readonly error: InventoryError;
}

/** What is needed to settle lines. */
interface Settling {
  readonly ctx: RequestContext;
  readonly seen: SeenNames;
  /** An id for something new. */
  readonly newId: () => number;
}

/** Says of lines what they are written to, one after the other: what one makes, a later one may name. */
export function settle(
  { ctx, seen, newId }: Settling,
  lines: readonly Line[],
  found: readonly Found[],
): { settled: SettledLine[]; failed: FailedLine[] } {
  const settled: SettledLine[] = [];
  const failed: FailedLine[] = [];
  /** Devices that the part makes. */
  const made = new Map<string, number>();
  for (const [i, line] of lines.entries()) {
    const there = found[i];
    if (!there) throw new Error('a line was not looked up');
    try {
      const isOther = isOfAnotherKind(line, there);
      if (there.id === null || isOther) requireWhole(ctx, line);
      const references = referencesOf(line, there, made, seen);
      if (isOther) throw taken(there);
      requireOtherParent(there, references);
      if (there.id !== null) requirePlace(line, there, references);
      const id = there.id ?? newId();
      if (there.id === null && line.kind.group === lineGroups.devices) made.set(nameOf(line), id);
      settled.push({ line, id, isNew: there.id === null, references });
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      failed.push({ line: line.line, error });
    }
  }
  return { settled, failed };
}

type References = Record<string, number | null>;

/** @throws InventoryError 405 for what is not there */
function referencesOf(
  line: Line,
  found: Found,
  made: ReadonlyMap<string, number>,
  seen: SeenNames,
): References {
  const { kind, body } = line;
  const references: References = {};
  for (const { member, column } of kind.group.references) {
    const name = body[member];
    references[column] = null;
    if (typeof name !== 'string') continue;
    const id = idIn(found, column) ?? (member === 'parent' ? made.get(name) : undefined);
    if (id === undefined) throw missing(line, member, name, seen);
    references[column] = id;
  }
  return references;
}

/** @throws InventoryError 405 */
function requireOtherParent({ id }: Found, { parent_id }: References): void {
  if (id !== null && parent_id === id)
    throw InventoryError.forbiddenByInventory('parent', 'a device is not its own parent');
}

/** Names are unique among devices of all kinds. */
const isOfAnotherKind = ({ kind }: Line, found: Found): boolean =>
  typeof found.kind === 'string' && found.kind !== kind.shape.kind;

function taken({ kind }: Found): InventoryError {
  const message = `a ${String(kind)} has this name already`;
  return new InventoryError('conflict', `name: ${message}`, [{ field: 'name', message }]);
}

function idIn(found: Found, column: string): number | undefined {
  const id = found[column];
  return typeof id === 'number' ? id : undefined;
}

function missing(line: Line, member: string, name: string, seen: SeenNames): InventoryError {
  const quoted = JSON.stringify(name);
  if (member !== 'parent')
    return InventoryError.forbiddenByInventory(
      member,
      `there is no ${member} ${quoted} in this ${member === 'cell' ? 'region' : 'project'}`,
    );
  if (name === nameOf(line))
    return InventoryError.forbiddenByInventory('parent', 'a device is not its own parent');
  const above = seen.lineOf(deviceIdentity(name));
  return InventoryError.forbiddenByInventory(
    'parent',
    above === undefined
      ? `there is no device ${quoted} in this project, or it was not imported either`
      : `the device ${quoted} of line ${String(above)} is below this device, or was not imported either`,
  );
}

/** @throws InventoryError 400, 403 for what is new and not whole */
function requireWhole(ctx: RequestContext, { kind, body }: Line): void {
  requireCreation(ctx, kind);
  const details = kind.group.required
    .filter((member) => body[member] === undefined)
    .map((field) => ({ field, message: `must be given: there is no ${kind.shape.kind} of this name` }));
  if (details.length === 0) return;
  const message = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new InventoryError('invalid_request', message, details);
}

/** @throws InventoryError 405 for a device that would leave its cell's region without its cell */
function requirePlace({ body }: Line, { in_region, in_cell }: Found, { region_id }: References): void {
  if (body['region'] === undefined || body['cell'] !== undefined) return;
  if (in_cell === null || in_cell === undefined || in_region === region_id) return;
  throw InventoryError.forbiddenByInventory(
    'cell',
    'must be given, or null: the cell that the device is in is not in this region',
  );
}
