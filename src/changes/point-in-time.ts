import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable, Reading } from '../database/database';
import { sql, type Sql } from '../database/sql';

/** A moment that change records tell of: a time, or what a change found, or what it left. */
export type Moment = { readonly time: string } | { readonly before: number } | { readonly after: number };

/**
 * Whether the record `o` of an object lies before a moment. The time of a record is the one that the object itself
 * shows: a client that asks for an object's `updated_at`, or for the `created_at` of the change, which is a little
 * later, finds what the change left. Of a deletion the object shows nothing; there it is the change's own.
 */
export function liesBefore(moment: Moment): Sql {
  if ('before' in moment) return sql`(o.change_id < ${moment.before})`;
  if ('after' in moment) return sql`(o.change_id <= ${moment.after})`;
  return sql`(CASE o.action
    WHEN 'delete' THEN (SELECT c.created_at FROM changes c WHERE c.project_id = o.project_id AND c.id = o.change_id)
    ELSE COALESCE(o.after ->> 'updated_at', o.after ->> 'created_at')::timestamp AT TIME ZONE 'UTC'
    END <= ${moment.time}::timestamptz)`;
}

/**
 * Reads by now, or as of a moment, and then all from one state of the records.
 * @throws InventoryError 400 for a time to come: what will be then, nobody knows
 */
export async function readingAt<T>(
  from: Reading,
  moment: Moment | undefined,
  read: (on: Queryable) => Promise<T>,
): Promise<T> {
  if (!moment) return read(from);
  return from.snapshot(async (on) => {
    if ('time' in moment) await requirePast(moment.time, on);
    return read(on);
  });
}

async function requirePast(time: string, on: Queryable): Promise<void> {
  // By the database's clock, which also writes the times that clients ask for. A replica's may go behind the primary's,
  // but it knows when what it shows was committed there.
  const now = sql`GREATEST(clock_timestamp(), pg_last_xact_replay_timestamp())`;
  const [to] = await on.rows(sql`SELECT WHERE ${time}::timestamptz > ${now}`);
  if (to) throw InventoryError.invalid('at', 'lies in the future');
}
