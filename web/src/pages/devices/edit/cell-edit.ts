import type { OwnVariable, VariableOwner } from '../../../components/variable-write';
import type { VariablePath } from '../../../components/variable-path';
import type { Part } from './document-part';

/** A member of a device that gets another value. */
export interface MemberChange {
  readonly type: 'member';
  readonly member: string;
  /** The version of the device when it was read. */
  readonly version: number;
  readonly base: unknown;
  readonly value: unknown;
  /** The value as a list shows it: the name of a reference. */
  readonly text: string;
}

/** A variable, or a part of one, that gets another value on a device, or on a level that the device inherits from. */
export interface VariableChange {
  readonly type: 'variable';
  readonly owner: VariableOwner;
  readonly path: VariablePath;
  /** What the owner sets itself. */
  readonly base: OwnVariable;
  /** The whole value that a device inherits, if it sets none itself: parts are changed in a copy of it. */
  readonly inherited: Part;
  /** Undefined: the owner does not set it any more. */
  readonly value: Part;
}

/** A cell that was edited, and not sent yet. */
export interface CellEdit {
  readonly device: VariableOwner;
  readonly column: string;
  readonly change: MemberChange | VariableChange;
}

/** The edited cells, by `cellKey`. */
export type CellEdits = ReadonlyMap<string, CellEdit>;

export const NO_EDITS: CellEdits = new Map();

/** Why the service has rejected edits. An edit that replaces a rejected one is not rejected. */
export type CellFaults = ReadonlyMap<CellEdit, string>;

export const NO_FAULTS: CellFaults = new Map();

export const cellKey = (device: number, column: string): string => `${device}/${column}`;

/**
 * The edits with further ones. A region, cell or label has one value of a variable, so an edit there replaces the one that was made
 * from the row of another device. An edit of a value replaces those of its parts.
 */
export function withEdits(edits: CellEdits, added: readonly CellEdit[]): CellEdits {
  const all = new Map(edits);
  for (const edit of added) {
    deleteWithin(all, edit);
    all.set(cellKey(edit.device.id, edit.column), edit);
  }
  return all;
}

/** A cell, as it is named by its row and its column. */
export interface CellName {
  /** The id of the device. */
  readonly device: number;
  readonly column: string;
}

/** The edits without those of some cells, and of parts that were edited in the value of such a cell. */
export function withoutCells(edits: CellEdits, cells: readonly CellName[]): CellEdits {
  const all = new Map(edits);
  for (const { device, column } of cells) {
    const edit = all.get(cellKey(device, column));
    if (edit) deleteWithin(all, edit);
  }
  return all;
}

/** The edits without some of them. A cell that was edited again meanwhile stays. */
export const withoutEdits = (edits: CellEdits, removed: readonly CellEdit[]): CellEdits => {
  const dropped = new Set(removed);
  return new Map([...edits].filter(([, edit]) => !dropped.has(edit)));
};

/** The edits of a variable of one owner. */
export const changesOf = (edits: CellEdits, owner: VariableOwner, key: string): VariableChange[] =>
  [...edits.values()].flatMap(({ change }) =>
    change.type === 'variable' && change.path.key === key && isSame(change.owner, owner) ? [change] : [],
  );

/** Whether a part of a value is within another one, or is the same. */
export const isWithin = (part: VariablePath['steps'], outer: VariablePath['steps']): boolean =>
  outer.every((step, i) => part[i] === step);

const isSame = (a: VariableOwner, b: VariableOwner): boolean => a.id === b.id && a.kind === b.kind;

/** Deletes the edits of what an edit writes, or of parts of it. */
function deleteWithin(edits: Map<string, CellEdit>, edit: CellEdit): void {
  for (const [key, other] of edits) if (replaces(edit, other)) edits.delete(key);
}

function replaces({ device, column, change }: CellEdit, other: CellEdit): boolean {
  const former = other.change;
  if (change.type === 'member' || former.type === 'member')
    return change.type === former.type && column === other.column && isSame(device, other.device);
  return (
    change.path.key === former.path.key &&
    isSame(change.owner, former.owner) &&
    isWithin(former.path.steps, change.path.steps)
  );
}
