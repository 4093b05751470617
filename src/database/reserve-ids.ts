import type { Queryable } from './queryable';
import { raw, sql } from './sql';

/** The tables from whose sequences the service may take ids in advance: its database role is granted their use. */
export const TABLES_WITH_SEQUENCE: readonly string[] = ['clouds', 'labels', 'regions', 'cells', 'devices'];

/** The sequence of a table's ids. */
export const sequenceOfIds = (table: string): string => `${table}_id_seq`;

/** Takes ids from the sequence of a table, in advance of the rows. @param table one of `TABLES_WITH_SEQUENCE` */
export async function reserveIds(on: Queryable, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await on.rows<{ id: number }>(
    sql`SELECT nextval(${raw(`'${sequenceOfIds(table)}'`)}) AS id FROM generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id);
}
