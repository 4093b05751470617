import { counted } from '../../../components/counted';
import type { OwnVariable, VariableOwner } from '../../../components/variable-write';
import type { CellEdit, MemberChange, VariableChange } from './cell-edit';
import { withPart } from './document-part';

/** The largest number of operations of a batch. */
export const MAX_OPERATIONS = 1_000;

/** Users who may not read changes do not get the tags of variables with a list. No variable has this one. */
export const UNKNOWN_TAG = '"c0"';

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

/** The members that a write sets. In another region, a device is in no cell, unless one is given. */
function membersOf(changes: readonly MemberChange[]): Readonly<Record<string, unknown>> {
  const members = Object.fromEntries(changes.map(({ member, value }) => [member, value]));
  return 'region_id' in members && !('cell_id' in members) ? { ...members, cell_id: null } : members;
}

/**
 * The value of a variable after all edits of its parts; undefined if it is not set any more.
 * @param current what the owner sets
 */
const valueOf = (changes: readonly VariableChange[], { current }: OwnVariable): Part =>
  changes.reduce<Part>(
    (document, { path, value }) => withPart(document?.value, path.steps, value),
    current ?? { value: changes[0]?.document },
  );

type Part = { readonly value: unknown } | undefined;

/** What is read again of the target of a write: the version of a device, or its own variable. */
export type Known =
  { readonly version: number; readonly members: Readonly<Record<string, unknown>> } | OwnVariable;

export const baseOf = (write: Write): Known =>
  isOfVariable(write)
    ? write.changes[0].base
    : {
        version: write.changes[0].version,
        members: Object.fromEntries(write.changes.map(({ member, base }) => [member, base])),
      };

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
  const value = valueOf(write.changes, { current });
  const condition = current ? { if_match: current.etag } : {};
  if (!value) return { method: 'DELETE', path, ...condition };
  return { method: 'PUT', path, body: value, ...(current ? condition : { if_none_match: '*' }) };
}

/** `5 cells of 4 devices`. */
export function countedCells(edits: readonly CellEdit[]): string {
  const devices = new Set(edits.map(({ device }) => device.id));
  return `${counted(edits.length, 'cell')} of ${counted(devices.size, 'device')}`;
}

export type Cells = Readonly<Record<string, unknown>>;

/** The values that a conflict shows, by device and column. @param known what the targets have; by default the edits */
export function cellsOf(writes: readonly Write[], known?: readonly Known[]): Cells {
  return Object.fromEntries(
    writes.flatMap((write, i): [string, unknown][] => {
      const one = known?.[i];
      const name = (part: string) => `${write.owner.name}: ${part}`;
      if (isOfVariable(write)) {
        const side = one ? currentOf(one) : valueOf(write.changes, write.changes[0].base);
        return side ? [[name(write.key), side.value]] : [];
      }
      const members = one ? ('members' in one ? one.members : {}) : membersOf(write.changes);
      return Object.entries(members).map(([member, value]) => [name(member), value]);
    }),
  );
}

export const currentOf = (known: Known): OwnVariable['current'] =>
  'current' in known ? known.current : undefined;
