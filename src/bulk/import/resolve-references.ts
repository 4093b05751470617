import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Found } from './lookup-existing';
import { nameOf, type Line } from './line';
import { deviceIdentity, requireCreation } from './line-check';
import { lineGroups } from './line-kinds';
import type { SeenNames } from './name-index';

/** A line with the ids of its resource and of the resources that it names. */
export interface SettledLine {
  readonly line: Line;
  readonly id: number;
  readonly isNew: boolean;
  /** The ids of the referenced resources by column; null if the line names none. */
  readonly references: Readonly<Record<string, number | null>>;
}

/** A line that conflicts with the current inventory. */
export interface FailedLine {
  readonly line: number;
  readonly error: InventoryError;
}

interface ResolutionContext {
  readonly ctx: RequestContext;
  readonly nameIndex: SeenNames;
  /** Returns an id for a new resource. */
  readonly newId: () => number;
}

/** Resolves lines in order. A line can reference a device that an earlier line creates. */
export function settle(
  { ctx, nameIndex, newId }: ResolutionContext,
  lines: readonly Line[],
  found: readonly Found[],
): { resolved: SettledLine[]; failed: FailedLine[] } {
  const resolved: SettledLine[] = [];
  const failed: FailedLine[] = [];
  /** The new devices of the batch. */
  const newDevices = new Map<string, number>();
  for (const [i, line] of lines.entries()) {
    const existing = found[i];
    if (!existing) throw new Error('a line was not looked up');
    try {
      const isOtherKind = hasOtherKind(line, existing);
      if (existing.id === null || isOtherKind) assertCreatable(ctx, line);
      const references = resolveLine(line, existing, newDevices, nameIndex);
      if (isOtherKind) throw nameTaken(existing);
      assertNotOwnParent(existing, references);
      if (existing.id !== null) assertCellFollows(line, existing, references);
      const id = existing.id ?? newId();
      if (existing.id === null && line.kind.group === lineGroups.devices) newDevices.set(nameOf(line), id);
      resolved.push({ line, id, isNew: existing.id === null, references });
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      failed.push({ line: line.line, error });
    }
  }
  return { resolved, failed };
}

type References = Record<string, number | null>;

/** @throws InventoryError 405 for a resource that does not exist */
function resolveLine(
  line: Line,
  found: Found,
  newDevices: ReadonlyMap<string, number>,
  nameIndex: SeenNames,
): References {
  const { kind, body } = line;
  const references: References = {};
  for (const { member, column } of kind.group.references) {
    const name = body[member];
    references[column] = null;
    if (typeof name !== 'string') continue;
    const id = foundId(found, column) ?? (member === 'parent' ? newDevices.get(name) : undefined);
    if (id === undefined) throw referenceMissing(line, member, name, nameIndex);
    references[column] = id;
  }
  return references;
}

/** @throws InventoryError 405 */
function assertNotOwnParent({ id }: Found, { parent_id }: References): void {
  if (id !== null && parent_id === id)
    throw InventoryError.forbiddenByInventory('parent', 'a device cannot be its own parent');
}

/** Names are unique among devices of all kinds. */
const hasOtherKind = ({ kind }: Line, found: Found): boolean =>
  typeof found.kind === 'string' && found.kind !== kind.shape.kind;

function nameTaken({ kind }: Found): InventoryError {
  const message = `a ${String(kind)} has this name already`;
  return new InventoryError('conflict', `name: ${message}`, [{ field: 'name', message }]);
}

function foundId(found: Found, column: string): number | undefined {
  const id = found[column];
  return typeof id === 'number' ? id : undefined;
}

function referenceMissing(line: Line, member: string, name: string, nameIndex: SeenNames): InventoryError {
  const quoted = JSON.stringify(name);
  if (member !== 'parent')
    return InventoryError.forbiddenByInventory(
      member,
      `there is no ${member} ${quoted} in this ${member === 'cell' ? 'region' : 'project'}`,
    );
  if (name === nameOf(line))
    return InventoryError.forbiddenByInventory('parent', 'a device cannot be its own parent');
  const parentLine = nameIndex.lineOf(deviceIdentity(name));
  return InventoryError.forbiddenByInventory(
    'parent',
    parentLine === undefined
      ? `there is no device ${quoted} in this project, or it was not imported either`
      : `the device ${quoted} of line ${String(parentLine)} is a descendant of this device, or was not imported either`,
  );
}

/** @throws InventoryError 400 for missing members of a new resource, 403 if the caller may not create it */
function assertCreatable(ctx: RequestContext, { kind, body }: Line): void {
  requireCreation(ctx, kind);
  const details = kind.group.required
    .filter((member) => body[member] === undefined)
    .map((field) => ({ field, message: `must be given: there is no ${kind.shape.kind} with this name` }));
  if (details.length === 0) return;
  const message = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new InventoryError('invalid_request', message, details);
}

/** @throws InventoryError 405 for a device that moves to another region without its cell */
function assertCellFollows({ body }: Line, { in_region, in_cell }: Found, { region_id }: References): void {
  if (body['region'] === undefined || body['cell'] !== undefined) return;
  if (in_cell === null || in_cell === undefined || in_region === region_id) return;
  throw InventoryError.forbiddenByInventory(
    'cell',
    'must be given, or null: the current cell of the device is not in this region',
  );
}
