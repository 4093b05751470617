import { withoutField, type ItemFault } from '../../../components/item-faults';
import { writesOf } from './batch-operations';
import type { CellEdit, CellFaults } from './cell-edit';
import { columnTitle, editTitle } from './edit-titles';

/** The edits that an operation of their batch writes. */
export function editsOf(edits: readonly CellEdit[], index: number): readonly CellEdit[] {
  const changes = new Set<CellEdit['change']>(writesOf(edits)[index]?.changes);
  return edits.filter(({ change }) => changes.has(change));
}

/** A part of a write that the service has rejected. */
type Rejected = Pick<ItemFault, 'index' | 'field'>;

/** The edits that a rejected part of a batch writes; all those of an operation, unless one member is wrong. */
export function rejectedEdits(edits: readonly CellEdit[], { index, field }: Rejected): readonly CellEdit[] {
  const written = editsOf(edits, index);
  const ofMember = written.filter(({ change }) => change.type === 'member' && change.member === field);
  return ofMember.length > 0 ? ofMember : written;
}

/** The rejected edits, and why they are. */
export function cellFaults(edits: readonly CellEdit[], faults: readonly ItemFault[]): CellFaults {
  const messages = new Map<CellEdit, string>();
  for (const fault of faults)
    for (const edit of rejectedEdits(edits, fault)) {
      const other = messages.get(edit);
      const message = rejectedMessage(edits, fault);
      messages.set(edit, other === undefined ? message : `${other}; ${message}`);
    }
  return messages;
}

/** The field of a batch that an edit is written to, as the service names it. */
const fieldOf = (change: CellEdit['change']): string =>
  change.type === 'member' ? change.member : `variables.${[change.path.key, ...change.path.steps].join('/')}`;

/** What is wrong with a rejected part of a batch, behind its title: the field is named there, unless it is another one. */
export function rejectedMessage(edits: readonly CellEdit[], fault: ItemFault): string {
  const written = rejectedEdits(edits, fault);
  const isNamed = written.length > 0 && written.every(({ change }) => fieldOf(change) === fault.field);
  return isNamed ? withoutField(fault) : fault.message;
}

/** `web-2, kernel`: a rejected part of a batch. */
export function rejectedTitle(edits: readonly CellEdit[], rejected: Rejected): string {
  const [first, ...others] = rejectedEdits(edits, rejected);
  if (!first) return `Operation ${rejected.index + 1}`;
  return [editTitle(first), ...others.map(({ column }) => columnTitle(column))].join(' and ');
}
