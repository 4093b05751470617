import { counted } from '../../../components/counted';
import { levelOf } from '../../../components/levels';
import { memberTitle } from '../../../components/member-title';
import { variableOf } from '../../../components/variable-column';
import type { CellEdit } from './cell-edit';

/**
 * `5 values of 4 devices`; what is set on a level is counted there: `1 value of 1 region`. It says values instead of cells: a cell is
 * also a part of a region.
 */
export function countedCells(edits: readonly CellEdit[]): string {
  const owners = edits.map(({ device, change }) => (change.type === 'member' ? device : change.owner));
  const byKind = new Map<string, number[]>();
  for (const { kind, id } of owners) {
    const noun = levelOf(kind);
    byKind.set(noun, [...(byKind.get(noun) ?? []), id]);
  }
  return [...byKind]
    .map(([noun, ids]) => `${counted(ids.length, 'value')} of ${counted(new Set(ids).size, noun)}`)
    .join(' and ');
}

/** `web-2, kernel`; at a level that the device inherits from, `region north, kernel`. */
export function editTitle({ device, column, change }: CellEdit): string {
  const isOwn = change.type === 'member' || change.owner.kind === device.kind;
  return `${isOwn ? device.name : `${change.owner.kind} ${change.owner.name}`}, ${columnTitle(column)}`;
}

export const columnTitle = (column: string): string => variableOf(column)?.text ?? memberTitle(column);
