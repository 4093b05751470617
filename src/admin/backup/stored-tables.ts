import type { QueryRunner } from 'typeorm';
import { StartupError } from '../../core/errors/startup-error';

/** A table of the schema, with the columns that hold what cannot be computed. */
export interface StoredTable {
  /** Tells it from another that had or gets its name. */
  readonly oid: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** TypeORM's own table. What it tells stands in a backup's manifest. */
export const MIGRATIONS = 'migrations';

/** Typed: TypeORM's `query` answers whatever is said to come. */
export const rowsOf = async <T>(runner: QueryRunner, text: string, values?: unknown[]): Promise<T[]> =>
  (await runner.query(text, values)) as T[];

/** SQL: whether `c` of pg_class is a table that is stored. Of extensions, and of other sessions, is none; what is not logged is not meant to last. */
export const STORED = `c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** Every table of the schema, TypeORM's own as well, without any list that somebody would have to keep. */
export const storedTables = (runner: QueryRunner): Promise<StoredTable[]> =>
  rowsOf<StoredTable>(
    runner,
    `SELECT c.oid::text AS oid, c.relname::text AS name, ARRAY(
        SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum
      ) AS columns
    FROM pg_class c WHERE ${STORED} ORDER BY c.relname`,
  );

/** By their names: how far the sequences of the schema have come that have begun. They are in no snapshot. */
export async function sequencePositions(runner: QueryRunner): Promise<Record<string, string>> {
  const rows = await rowsOf<{ name: string; last: string }>(
    runner,
    `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename <> $1 ORDER BY sequencename`,
    [`${MIGRATIONS}_id_seq`],
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** The names of the migrations that have run, oldest first. */
export async function migrationsRun(runner: QueryRunner): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(runner, `SELECT name FROM ${MIGRATIONS} ORDER BY id`);
  return rows.map(({ name }) => name);
}

/** A name as SQL text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * What COPY writes has to mean the same wherever it is read; and what takes long is meant to, however impatient the
 * server is otherwise.
 */
export async function settleSession(runner: QueryRunner): Promise<void> {
  for (const setting of [
    `client_encoding = 'UTF8'`,
    `DateStyle = 'ISO, YMD'`,
    `IntervalStyle = 'postgres'`,
    `TimeZone = 'UTC'`,
    `bytea_output = 'hex'`,
    `extra_float_digits = 1`,
    `statement_timeout = 0`,
    `lock_timeout = 0`,
    `idle_in_transaction_session_timeout = 0`,
  ])
    await runner.query(`SET LOCAL ${setting}`);
}

/** @throws StartupError for a Citus: its rows lie on several servers, which have no state in common */
export async function refuseDistributed(runner: QueryRunner): Promise<void> {
  const [citus] = await rowsOf<{ metadata: string | null }>(
    runner,
    `SELECT to_regclass('pg_dist_partition')::text AS metadata`,
  );
  if (!citus?.metadata) return;
  const distributed = await rowsOf(runner, 'SELECT FROM pg_dist_partition LIMIT 1');
  if (distributed.length > 0)
    throw new StartupError(
      'The tables are distributed by Citus, and their rows lie on several servers: back up and restore with what it brings for that.',
    );
}
