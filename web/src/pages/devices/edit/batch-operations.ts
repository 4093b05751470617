import { withoutFormerCell } from '../../../components/device-location';
import type { ConflictValue, ConflictValues } from '../../../components/conflict';
import type { VariablePath } from '../../../components/variable-path';
import type { OwnVariable, VariableOwner } from '../../../components/variable-write';
import type { CellEdit, MemberChange, VariableChange } from './cell-edit';
import { canHavePart, withPart, type Part } from './document-part';

/** The largest number of operations of a batch. */
export const MAX_OPERATIONS = 1_000;

/** A write of a batch: the members of a device, or one variable of a device or level, however many of their cells were edited. */
export type Write =
  | { readonly owner: VariableOwner; readonly changes: readonly [MemberChange, ...MemberChange[]] }
  | {
      readonly owner: VariableOwner;
      readonly key: string;
      readonly changes: readonly [VariableChange, ...VariableChange[]];
    };

/** The writes of edited cells: members first, because each write of a variable raises the version of its device. */
export function writesOf(edits: Iterable<CellEdit>): readonly Write[] {
  const members = new Map<string, Write & { readonly key?: undefined }>();
  const variables = new Map<string, Extract<Write, { readonly key: string }>>();
  for (const { device, change } of edits)
    if (change.type === 'member') {
      const id = String(device.id);
      const former = members.get(id);
      members.set(id, { owner: device, changes: former ? [...former.changes, change] : [change] });
    } else {
      const { owner, path } = change;
      const id = JSON.stringify([owner.kind, owner.id, path.key]);
      const former = variables.get(id);
      const changes = former ? ([...former.changes, change] as const) : ([change] as const);
      variables.set(id, { owner, key: path.key, changes });
    }
  return [...members.values(), ...variables.values()];
}

export const isOfVariable = (write: Write): write is Extract<Write, { readonly key: string }> =>
  'key' in write;

export const pathOf = ({ collection, id }: VariableOwner): string => `/v1/${collection}/${id}`;

/** The members that a write sets. */
const membersOf = (changes: readonly MemberChange[]): Readonly<Record<string, unknown>> =>
  withoutFormerCell(Object.fromEntries(changes.map(({ member, value }) => [member, value])));

/**
 * The changes of a variable in an order in which none depends on the result of another: values before the parts that were set in
 * them, and removals last, from the end of a list on, because each one moves the items behind it.
 */
function inOrder(changes: readonly VariableChange[]): readonly VariableChange[] {
  const sets = changes.filter(({ value }) => value);
  const removals = changes.filter(({ value }) => !value);
  return [
    ...sets.sort((a, b) => a.path.steps.length - b.path.steps.length),
    ...removals.sort((a, b) => compareSteps(b.path.steps, a.path.steps)),
  ];
}

/** Compares by position in lists. A part comes after the value that it belongs to. */
function compareSteps(a: VariablePath['steps'], b: VariablePath['steps']): number {
  const i = a.findIndex((step, n) => step !== b[n]);
  const [one, other] = [a[i], b[i]];
  if (one === undefined || other === undefined) return a.length - b.length;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : 1;
}

/** The result of changes of a variable. */
interface Changed {
  /** Undefined if the variable is not set any more. */
  readonly document: Part;
  /** A part that the value cannot have, because an object or list around it is missing. */
  readonly misfit?: VariablePath;
}

/** The value of a variable after changes of it, or of parts of it. @param document before */
export const changed = (changes: readonly VariableChange[], document: Part): Changed =>
  inOrder(changes).reduce<Changed>(
    (before, { path, value }) => {
      if (before.misfit) return before;
      if (!canHavePart(before.document, path.steps)) return { ...before, misfit: path };
      return { document: withPart(before.document?.value, path.steps, value) };
    },
    { document },
  );

/** Why a part of a variable cannot be set. */
export const misfitText = ({ text, key }: VariablePath, { kind, name }: VariableOwner): string =>
  `${text} cannot be set on the ${kind} ${name}: it has no such object or list. Set ${key} as a whole.`;

/**
 * The value of a variable after all edits of its parts; undefined if it is not set any more.
 * @param current what the owner sets
 * @throws Error if a part is edited that the value does not have any more
 */
function valueOf(
  changes: readonly [VariableChange, ...VariableChange[]],
  current: OwnVariable['current'],
): Part {
  const [{ owner, inherited }] = changes;
  const { document, misfit } = changed(changes, current ?? inherited);
  if (misfit) throw new Error(misfitText(misfit, owner));
  return document;
}

/** What is read again of the target of a write: the version of a device, or its own variable. */
export type Known =
  | { readonly version: number; readonly members: Readonly<Record<string, unknown>> }
  | OwnVariable;

export const baseOf = (write: Write): Known =>
  isOfVariable(write)
    ? write.changes[0].base
    : {
        version: write.changes[0].version,
        members: Object.fromEntries(write.changes.map(({ member, base }) => [member, base])),
      };

/** @throws Error if a part is edited that its variable does not have any more */
export function operationOf(write: Write, known: Known): object {
  const { owner } = write;
  if (!isOfVariable(write))
    return {
      method: 'PUT',
      path: pathOf(owner),
      body: membersOf(write.changes),
      ...('version' in known ? { if_match: `"${known.version}"` } : {}),
    };
  const path = `${pathOf(owner)}/variables/${encodeURIComponent(write.key)}`;
  const current = currentOf(known);
  const value = valueOf(write.changes, current);
  const condition = current ? { if_match: current.etag } : {};
  if (!value) return { method: 'DELETE', path, ...condition };
  return { method: 'PUT', path, body: value, ...(current ? condition : { if_none_match: '*' }) };
}

/** The values that a conflict shows, by device and column. @param known what the targets have; by default the edits */
export function cellsOf(writes: readonly Write[], known?: readonly Known[]): ConflictValues {
  return Object.fromEntries(
    writes.flatMap((write, i): [string, ConflictValue][] => {
      const one = known?.[i];
      const name = (part: string) => `${write.owner.name}: ${part}`;
      if (isOfVariable(write)) {
        const side = one ? currentOf(one) : valueOf(write.changes, write.changes[0].base.current);
        return side ? [[name(write.key), { value: side.value }]] : [];
      }
      const members = one ? ('members' in one ? one.members : {}) : membersOf(write.changes);
      return Object.entries(members).map(([member, value]) => [name(member), { value, member }]);
    }),
  );
}

/** Whether the target of a write was changed after it was read. */
export const isChanged = (base: Known, now: Known): boolean =>
  'version' in base && 'version' in now
    ? base.version !== now.version
    : currentOf(base)?.etag !== currentOf(now)?.etag;

export const currentOf = (known: Known): OwnVariable['current'] =>
  'current' in known ? known.current : undefined;
