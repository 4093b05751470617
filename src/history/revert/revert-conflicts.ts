import { InventoryError, type ErrorDetail } from '../../core/errors/inventory-error';
import { isForeignKeyViolation, postgresError } from '../../database/errors/postgres-error';
import { MOST_TOLD, type LaterChanges, type LaterTouches } from './later-changes';
import type { RecordedChange, RecordedObject } from './recorded-change';

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
    details.slice(0, MOST_TOLD.fields),
  );

/**
 * Holds what is to be put back against what was done since.
 * @throws InventoryError 409 with a detail for each member and each key that later changes touched, as far as they are
 * told
 */
export function requireUntouched(change: RecordedChange, { all, fields }: LaterTouches): void {
  if (all.count === 0) return;
  const objects = new Map(change.objects.map((object) => [object.ordinal, object]));
  const details = fields.flatMap(({ ordinal, field, ...later }) => {
    const object = objects.get(ordinal);
    return object ? [{ field, message: `of ${nameOf(object)} was changed since, by ${named(later)}` }] : [];
  });
  throw cannotBeUndone(change, `${named(all)} touched the same since then`, details);
}

function named({ count, oldest }: LaterChanges): string {
  const ids = oldest.map(String).join(', ');
  if (count === 1) return `the change ${ids}`;
  return `the changes ${ids}${count > oldest.length ? ` and ${String(count - oldest.length)} more` : ''}`;
}

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
