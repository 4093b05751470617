import type { ErrorDetail } from '../../core/error-details';
import { InventoryError, validationError } from '../../core/errors';
import type { LookupResult } from './existing-resources';
import type { ImportLine } from './line-kinds';

/** The ids of the resources that a line references, by column; null if it names none. */
export type References = Readonly<Record<string, number | null>>;

/** @throws InventoryError 412 for a resource that does not have the id or the version of the line */
export function assertPreconditions({ kind, body }: ImportLine, { id, version }: LookupResult): void {
  for (const [member, found, what] of [
    ['if_id', id, 'has the id'],
    ['if_version', version, 'is at version'],
  ] as const) {
    const expected = body[member];
    if (expected === undefined || expected === found) continue;
    const message =
      found === null
        ? `there is no ${kind.mapping.kind} with this name`
        : `the ${kind.mapping.kind} ${what} ${String(found)} now`;
    throw validationError([{ field: member, code: 'version_mismatch', message }], 'version_mismatch');
  }
}

/** Names are unique among devices of all kinds. */
const hasOtherKind = ({ kind }: ImportLine, found: LookupResult): boolean =>
  typeof found.kind === 'string' && found.kind !== kind.mapping.kind;

/** Whether a line would create its resource; also if a device of another kind has the name, which is an error. */
export const wouldCreate = (line: ImportLine, found: LookupResult): boolean =>
  found.id === null || hasOtherKind(line, found);

/** A fault (400) if a new resource lacks members. */
export function missingMembers({ kind, body }: ImportLine): InventoryError[] {
  const details = kind.required
    .filter((member) => body[member] === undefined)
    .map((field): ErrorDetail => ({
      field,
      code: 'required',
      message: `must be given: there is no ${kind.mapping.kind} with this name`,
    }));
  return details.length === 0 ? [] : [validationError(details)];
}

/** What of a line contradicts its resource: 405, or 409 for a name of another kind. */
export function inconsistencies(
  line: ImportLine,
  found: LookupResult,
  references: References,
): InventoryError[] {
  if (found.id === null) return [];
  if (hasOtherKind(line, found)) return [nameTaken(found)];
  return [
    ...(references['parent_id'] === found.id ? [ownParent()] : []),
    ...(leavesCell(line, found, references) ? [cellRequired()] : []),
  ];
}

/** 405 for a device whose parent is the device itself. */
export const ownParent = (): InventoryError =>
  InventoryError.validationException('parent', 'inconsistent', 'a device cannot be its own parent');

const nameTaken = ({ kind }: LookupResult): InventoryError =>
  validationError(
    [{ field: 'name', code: 'duplicate', message: `a ${String(kind)} has this name already` }],
    'conflict',
  );

/** Whether a device moves to another region without its cell. */
const leavesCell = ({ body }: ImportLine, found: LookupResult, { region_id }: References): boolean =>
  typeof body['region'] === 'string' &&
  body['cell'] === undefined &&
  typeof found.in_cell === 'number' &&
  found.in_region !== region_id;

const cellRequired = (): InventoryError =>
  InventoryError.validationException(
    'cell',
    'required',
    'must be given, or null: the current cell of the device is not in this region',
  );
