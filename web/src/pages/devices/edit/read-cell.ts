import { jsonText } from '../../../api/exact-json';
import type { DeviceKind } from '../../../api/kinds';
import type { Locations } from '../../../api/locations';
import { isEditable, type MemberDescription } from '../../../components/member-description';
import type { ListRow } from '../../../components/member-columns';
import { memberTitle } from '../../../components/member-title';
import { variableOf } from '../../../components/variable-column';
import { partOf } from '../../../components/variable-path';
import type { VariableOwner } from '../../../components/variable-write';
import { cellKey, type CellEdit, type CellEdits } from './cell-edit';
import { levelsOf, type LevelOption } from './cell-levels';
import { readMember, readValue, valueText } from './cell-text';
import { canHavePart } from './document-part';

/** What cells are read and written with. */
export interface CellContext {
  readonly kind: DeviceKind;
  readonly places: Locations;
  readonly edits: CellEdits;
}

/** The result of writing a text into a cell. */
export type WrittenCell =
  | {
      /** Undefined if the cell has the value already. */
      readonly edit: CellEdit | undefined;
      readonly note?: string;
    }
  | { readonly problem: string };

export const deviceOf = ({ kind }: CellContext, { id, name = '' }: ListRow): VariableOwner => ({
  ...{ kind: kind.kind, collection: kind.collection, id, name },
});

/** The description of the member of a column; undefined if it has none, or nobody can change it. */
export function memberOf({ update }: DeviceKind, column: string): MemberDescription | undefined {
  const members: readonly MemberDescription[] = update;
  return members.find((member) => member.name === column && isEditable(member) && member.type !== 'json');
}

/** Why a cell cannot be edited; undefined if it can. */
export function lockOf({ kind }: CellContext, row: ListRow, column: string): string | undefined {
  const path = variableOf(column);
  if (!path) return memberOf(kind, column) ? undefined : `${memberTitle(column)} is set by Muster.`;
  const resolved = row.explain?.[path.key];
  if (canHavePart(resolved && { value: resolved.value }, path.steps)) return undefined;
  return `${path.text} cannot be set here: ${row.name ?? ''} has no such object or list. Set ${path.key} as a whole.`;
}

/** The text of a cell before it is edited, also if it was edited already. */
export function textOf(context: CellContext, row: ListRow, column: string): string {
  const change = context.edits.get(cellKey(row.id, column))?.change;
  if (change?.type === 'member') return change.text;
  if (!variableOf(column)) return memberText(context, row, column);
  const value = valueOf(context, row, column);
  return value ? valueText(value.value) : '';
}

/** The value of a variable's cell, also if it was edited already; undefined if it has none, and for members. */
export function valueOf(
  { edits }: CellContext,
  row: ListRow,
  column: string,
): { readonly value: unknown } | undefined {
  const change = edits.get(cellKey(row.id, column))?.change;
  return change?.type === 'variable' ? change.value : resolvedPart(row, column);
}

function memberText({ places }: CellContext, row: ListRow, column: string): string {
  const value: unknown = new Map<string, unknown>(Object.entries(row)).get(column);
  if (value === null || value === undefined) return '';
  if (column === 'active') return value === true ? 'active' : 'inactive';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return jsonText(value);
  if (column === 'region_id') return places.regionName(value);
  return column === 'cell_id' ? places.cellName(value) : String(value);
}

/** The value of a variable's cell, as the device resolves it. */
export function resolvedPart(row: ListRow, column: string): { readonly value: unknown } | undefined {
  const path = variableOf(column);
  const resolved = path && row.explain?.[path.key];
  return resolved && partOf(resolved.value, path.steps);
}

/** The levels of a variable's cell; none for members. */
export const levelsOfCell = (context: CellContext, row: ListRow, column: string): readonly LevelOption[] => {
  const path = variableOf(column);
  return path ? levelsOf(deviceOf(context, row), row, path.key, context.places) : [];
};

interface Choices {
  /** The level that was chosen. By default the device; a value that it has already is no edit then. */
  readonly level?: (LevelOption & { readonly id: number }) | undefined;
  /** Whether a number, true, false or null is a text. */
  readonly isText?: boolean | undefined;
}

/** Writes a text into a cell. An empty text unsets a variable. */
export function writeCell(
  context: CellContext,
  row: ListRow,
  column: string,
  text: string,
  { level, isText }: Choices = {},
): WrittenCell {
  const lock = lockOf(context, row, column);
  if (lock !== undefined) return { problem: lock };
  const device = deviceOf(context, row);
  const path = variableOf(column);
  if (!path) return writeMember(context, row, column, text);
  const [own] = levelsOfCell(context, row, column);
  const target = level ?? own;
  if (target?.id === undefined) return { problem: 'Choose a level.' };
  const set = target.own.current && partOf(target.own.current.value, path.steps);
  const resolved = resolvedPart(row, column);
  const owner = { kind: target.kind, collection: target.collection, id: target.id, name: target.name };
  const document = row.explain?.[path.key]?.value;
  const change = { type: 'variable', owner, path, base: target.own, document } as const;
  if (text.trim() === '')
    return set ? { edit: { device, column, change: { ...change, value: undefined } } } : { edit: undefined };
  const read = readValue(text, resolved, isText);
  if ('problem' in read) return read;
  const former = level ? set : resolved;
  if (former && jsonText(former.value) === jsonText(read.value)) return { edit: undefined };
  const edit = { device, column, change: { ...change, value: { value: read.value } } };
  return read.note === undefined ? { edit } : { edit, note: read.note };
}

function writeMember(context: CellContext, row: ListRow, column: string, text: string): WrittenCell {
  const { kind, places, edits } = context;
  const member = memberOf(kind, column);
  if (!member) return { problem: `${memberTitle(column)} is set by Muster.` };
  const edited = edits.get(cellKey(row.id, 'region_id'))?.change;
  const chosen = edited?.type === 'member' ? edited.value : row.region_id;
  const region = typeof chosen === 'number' ? chosen : undefined;
  const read = readMember(member, text, { places, region });
  if ('problem' in read) return read;
  const former: unknown = new Map<string, unknown>(Object.entries(row)).get(column);
  const isSame = (value: unknown) => jsonText(value) === jsonText(read.value);
  // A text that is missing is null, or empty.
  if (isSame(former ?? null)) return { edit: undefined };
  const change = {
    type: 'member',
    member: column,
    version: row.version ?? 0,
    base: former ?? null,
    value: read.value,
    text: read.text,
  } as const;
  return { edit: { device: deviceOf(context, row), column, change } };
}
