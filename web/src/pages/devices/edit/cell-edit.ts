import type { OwnVariable, VariableOwner } from '../../../components/variable-write';
import type { VariablePath } from '../../../components/variable-path';

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
  /** The whole value of the variable that a part is changed in: the owner's own, or what the device inherits. */
  readonly document: unknown;
  /** Undefined: the owner does not set it any more. */
  readonly value: { readonly value: unknown } | undefined;
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

export const cellKey = (device: number, column: string): string => `${device}/${column}`;

/**
 * The edits with further ones. A region, cell or label has one value of a variable, so an edit there replaces the one that was made
 * from the row of another device.
 */
export function withEdits(edits: CellEdits, added: readonly CellEdit[]): CellEdits {
  const all = new Map(edits);
  for (const edit of added) {
    const target = targetOf(edit);
    for (const [key, other] of all) if (targetOf(other) === target) all.delete(key);
    all.set(cellKey(edit.device.id, edit.column), edit);
  }
  return all;
}

function targetOf({ device, column, change }: CellEdit): string {
  const { kind, id } = change.type === 'variable' ? change.owner : device;
  return JSON.stringify([kind, id, column]);
}
