import { jsonText } from '../../../api/exact-json';
import type { DeviceKind } from '../../../api/kinds';
import type { Locations } from '../../../api/locations';
import { isEditable, type MemberDescription } from '../../../components/member-description';
import type { ListRow } from '../../../components/member-columns';
import { variableOf } from '../../../components/variable-column';
import { partOf } from '../../../components/variable-path';
import type { VariableOwner } from '../../../components/variable-write';
import { cellKey, type CellEdits } from './cell-edit';
import { levelsOf, type LevelOption } from './cell-levels';
import { valueText } from './cell-text';
import type { Part } from './document-part';

/** What cells are read and written with. */
export interface CellContext {
  readonly kind: DeviceKind;
  readonly locations: Locations;
  readonly edits: CellEdits;
}

export const deviceOf = ({ kind }: CellContext, { id, name = '' }: ListRow): VariableOwner => ({
  ...{ kind: kind.kind, collection: kind.collection, id, name },
});

/** The description of the member of a column; undefined if it has none, or nobody can change it. */
export function memberOf({ update }: DeviceKind, column: string): MemberDescription | undefined {
  const members: readonly MemberDescription[] = update;
  return members.find((member) => member.name === column && isEditable(member) && member.type !== 'json');
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
export function valueOf({ edits }: CellContext, row: ListRow, column: string): Part {
  const change = edits.get(cellKey(row.id, column))?.change;
  return change?.type === 'variable' ? change.value : resolvedPart(row, column);
}

function memberText({ locations }: CellContext, row: ListRow, column: string): string {
  const value: unknown = new Map<string, unknown>(Object.entries(row)).get(column);
  if (value === null || value === undefined) return '';
  if (column === 'active') return value === true ? 'active' : 'inactive';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return jsonText(value);
  if (column === 'region_id') return locations.regionName(value);
  return column === 'cell_id' ? locations.cellName(value) : String(value);
}

/** The value of a variable's cell, as the device resolves it. */
export function resolvedPart(row: ListRow, column: string): Part {
  const path = variableOf(column);
  const resolved = path && row.explain?.[path.key];
  return resolved && partOf(resolved.value, path.steps);
}

/** The levels of a variable's cell; none for members. */
export const levelsOfCell = (context: CellContext, row: ListRow, column: string): readonly LevelOption[] => {
  const path = variableOf(column);
  return path ? levelsOf(deviceOf(context, row), row, path.key, context.locations) : [];
};
