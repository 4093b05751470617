import { InventoryError, type ErrorDetail } from '../../shared/errors/inventory-error';
import { isForeignKeyViolation, postgresError } from '../../shared/errors/postgres-error';
import type { Visibility } from '../../shared/context/visibility';
import type { LaterChange, RecordedChange, RecordedObject } from './recorded-change';

/** A change of many resources can conflict in every one of them; so many are named. */
const MOST_DETAILS = 100;

export const nameOf = ({ kind, id, name }: RecordedObject): string =>
  `the ${kind.shape.kind} ${id === 0 ? name : `${name} (${String(id)})`}`;

export const cannotBeUndone = (
  change: RecordedChange,
  because: string,
  details: readonly ErrorDetail[] = [],
): InventoryError =>
  new InventoryError(
    'conflict',
    `The change ${String(change.id)} cannot be undone: ${because}.`,
    details.slice(0, MOST_DETAILS),
  );

/**
 * Holds what is to be put back against what was done since.
 * @throws InventoryError 409 with a detail for each member and each key that a later change touched
 */
export function requireUntouched(
  change: RecordedChange,
  later: readonly LaterChange[],
  visibility: Visibility,
): void {
  const details: ErrorDetail[] = [];
  const changes = new Set<number>();
  for (const object of change.objects) {
    const touches = touchesOf(object, later, visibility);
    for (const [field, ids] of touches) {
      details.push({ field, message: `of ${nameOf(object)} was changed since, by ${named(ids)}` });
      for (const id of ids) changes.add(id);
    }
  }
  if (details.length === 0) return;
  throw cannotBeUndone(
    change,
    `${named([...changes].sort((a, b) => a - b))} touched the same since then`,
    details,
  );
}

/** The members and keys that stand in the way, each with the changes that touched it. */
function touchesOf(
  object: RecordedObject,
  later: readonly LaterChange[],
  visibility: Visibility,
): Map<string, number[]> {
  const touches = new Map<string, number[]>();
  const touched = (field: string, id: number) => touches.set(field, [...(touches.get(field) ?? []), id]);
  // What came into being by the change, or went away, is undone as a whole.
  const isWhole = object.action !== 'update';
  for (const { ordinal, changeId, members, keys } of later) {
    if (ordinal !== object.ordinal) continue;
    const fields = [
      ...members.filter((member) => isWhole || object.members.includes(member)),
      ...keys
        .filter((key) => (isWhole || object.keys.includes(key)) && visibility.sees(key))
        .map((key) => `variables.${key}`),
    ];
    for (const field of fields) touched(field, changeId);
    // Touched all the same: in what is not recorded, or not shown to the caller.
    if (isWhole && fields.length === 0) touched('version', changeId);
  }
  return touches;
}

const named = (ids: readonly number[]): string =>
  ids.length === 1 ? `the change ${String(ids[0])}` : `the changes ${ids.map(String).join(', ')}`;

/**
 * What a foreign key's refusal means for somebody who undoes a change; every other error stays what it is. The
 * database names the key's columns and their values, which are all of the caller's own project.
 */
export function refusedReference(change: RecordedChange, error: unknown): unknown {
  const said = postgresError(error);
  if (!said || !isForeignKeyViolation(said)) return error;
  const [, columns = '', values = '', outcome = '', table = ''] =
    /^Key \(([^)]*)\)=\((.*)\) is (not present in|still referenced from) table "([^"]*)"/.exec(
      said.detail ?? '',
    ) ?? [];
  const named = columns.split(', ').slice(1);
  const given = values.split(', ').slice(1);
  const what = named.map((column, i) => `${column} ${given[i] ?? ''}`).join(', ');
  const field = named.at(-1) ?? 'id';
  const message =
    outcome === 'not present in'
      ? `${what} is not there any more`
      : `${what} is in use by ${table.replaceAll('_', ' ')} that came later`;
  return cannotBeUndone(change, message, [{ field, message }]);
}
