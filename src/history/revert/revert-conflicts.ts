import { InventoryError, type ErrorDetail } from '../../core/errors/inventory-error';
import { isForeignKeyViolation, postgresError } from '../../database/errors/postgres-error';
import { MOST_TOLD, type LaterChanges, type LaterTouches } from './later-changes';
import type { RecordedChange, RecordedObject } from './recorded-change';

export const nameOf = ({ kind, id, name }: RecordedObject): string =>
  `the ${kind.shape.kind} ${id === 0 ? name : `${name} (${String(id)})`}`;

export const cannotBeUndone = (
  change: RecordedChange,
  reason: string,
  details: readonly ErrorDetail[] = [],
): InventoryError =>
  new InventoryError(
    'conflict',
    `The change ${String(change.id)} cannot be reverted: ${reason}.`,
    details.slice(0, MOST_TOLD.fields),
  );

/** @throws InventoryError 409 with a detail for each conflicting member or variable, up to `MAX_REPORTED.fields` */
export function requireUntouched(change: RecordedChange, { all, fields }: LaterTouches): void {
  if (all.count === 0) return;
  const objects = new Map(change.objects.map((object) => [object.ordinal, object]));
  const details = fields.flatMap(({ ordinal, field, ...later }) => {
    const object = objects.get(ordinal);
    return object ? [{ field, message: `${nameOf(object)}: modified later by ${changeList(later)}` }] : [];
  });
  throw cannotBeUndone(change, `conflict with ${changeList(all)}`, details);
}

function changeList({ count, oldest }: LaterChanges): string {
  const ids = oldest.map(String).join(', ');
  if (count === 1) return `the change ${ids}`;
  return `the changes ${ids}${count > oldest.length ? ` and ${String(count - oldest.length)} more` : ''}`;
}

/**
 * Converts a foreign key violation into a conflict of the revert. Other errors are returned unchanged. PostgreSQL's
 * detail names the columns of the key and their values, which all belong to the caller's project.
 */
export function refusedReference(change: RecordedChange, error: unknown): unknown {
  const violation = postgresError(error);
  if (!violation || !isForeignKeyViolation(violation)) return error;
  const [, columns = '', values = '', outcome = '', table = ''] =
    /^Key \(([^)]*)\)=\((.*)\) is (not present in|still referenced from) table "([^"]*)"/.exec(
      violation.detail ?? '',
    ) ?? [];
  // The first column is always `project_id`.
  const keyColumns = columns.split(', ').slice(1);
  const keyValues = values.split(', ').slice(1);
  const key = keyColumns.map((column, i) => `${column} ${keyValues[i] ?? ''}`).join(', ');
  const field = keyColumns.at(-1) ?? 'id';
  const message =
    outcome === 'not present in'
      ? `${key} no longer exists`
      : `${key} is in use by ${table.replaceAll('_', ' ')} created later`;
  return cannotBeUndone(change, message, [{ field, message }]);
}
