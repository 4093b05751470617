import type { QueryRunner } from 'typeorm';
import { StartupError } from '../../core/errors';
import { SERVICE_ROLE } from '../connection/connection';
import { PROJECT_TABLES } from '../tables';
import { rowsOf } from './is-distributed';

/**
 * The placement of all tables on Citus. A test checks that every table of the schema is listed once.
 */
export const CITUS_TABLES = {
  /** On every node, because all other tables refer to it, and it has few rows. */
  reference: ['projects'],
  /** By project, all rows of a project on one node. */
  distributed: PROJECT_TABLES,
  /**
   * On the coordinator only: TypeORM's table, and the table about transaction ids, which are the coordinator's. A query
   * that reads only a local table uses the coordinator's own snapshot.
   */
  local: ['migrations', 'feed_restorations'],
} as const;

const DISTRIBUTION_COLUMN = 'project_id';

/** A table that is now, or was before, a reference table or distributed by project. */
export interface PlacedTable {
  readonly table: string;
  readonly as: 'reference' | 'distributed';
  readonly wasBefore: boolean;
}

/** All other tables are colocated with this table, so that all rows of a project are on one node. */
const [FIRST] = CITUS_TABLES.distributed;

/**
 * Distributes the tables of a Citus database, within the runner's transaction. Tables that are already distributed are
 * not changed.
 * @param runner in a transaction, as the tables' owner
 * @throws StartupError if the database is not a Citus coordinator, or if a table is distributed differently
 */
export async function distributeTables(runner: QueryRunner): Promise<PlacedTable[]> {
  await requireCoordinator(runner);
  const placed = await placements(runner);
  const missing = placed.filter(({ wasBefore }) => !wasBefore);
  if (missing.length > 0) {
    // Parallel connections to a node would not see changes of the transaction to tables with foreign keys.
    await runner.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    const keys = await foreignKeys(
      runner,
      missing.map(({ table }) => table),
    );
    for (const { table, name } of keys) await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const { table, as } of missing) await place(runner, table, as);
    for (const { table, name, definition } of keys)
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
  await grantPrivileges(runner);
  return placed;
}

/**
 * Prepares migrations of distributed tables: parallel connections to a node would not see earlier changes of the
 * transaction. Without Citus, the setting has no effect.
 */
export async function prepareMigrations(runner: QueryRunner): Promise<void> {
  await runner.query(`SET citus.multi_shard_modify_mode TO 'sequential'`);
}

async function requireCoordinator(runner: QueryRunner): Promise<void> {
  const [citus] = await rowsOf<{ installed: boolean; available: boolean }>(
    runner,
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS installed,
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS available`,
  );
  if (!citus?.installed)
    throw new StartupError(
      citus?.available
        ? 'The database does not use Citus: run "CREATE EXTENSION citus" in it as a superuser.'
        : 'Citus is not installed on the database server: only the tables of a Citus database can be distributed.',
    );
  const [node] = await rowsOf<{ groupid: number }>(runner, 'SELECT groupid FROM pg_dist_local_group');
  if (node && node.groupid !== 0)
    throw new StartupError('The database is a worker of Citus: DATABASE_URL must name the coordinator.');
}

interface Placement {
  readonly table: string;
  readonly kind: 'distributed' | 'reference' | 'otherwise' | null;
  readonly column: string | null;
}

/** The current placement of all tables. @throws StartupError for a table that is distributed differently */
async function placements(runner: QueryRunner): Promise<PlacedTable[]> {
  const wanted = [
    ...CITUS_TABLES.reference.map((table) => ({ table, as: 'reference' as const })),
    ...CITUS_TABLES.distributed.map((table) => ({ table, as: 'distributed' as const })),
  ];
  const found = await rowsOf<Placement>(
    runner,
    `SELECT w.name AS table, CASE WHEN p.logicalrelid IS NULL THEN NULL WHEN p.partmethod = 'h' THEN 'distributed'
        WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'reference' ELSE 'otherwise' END AS kind,
      CASE WHEN p.partmethod = 'h' THEN column_to_column_name(p.logicalrelid, p.partkey) END AS column
    FROM unnest($1::text[]) AS w (name) LEFT JOIN pg_dist_partition p ON p.logicalrelid = to_regclass('public.' || w.name)`,
    [wanted.map(({ table }) => table)],
  );
  const byName = new Map(found.map((placement) => [placement.table, placement]));
  return wanted.map(({ table, as }) => {
    const { kind = null, column = null } = byName.get(table) ?? {};
    const isRight = kind === as && (as === 'reference' || column === DISTRIBUTION_COLUMN);
    if (kind !== null && !isRight)
      throw new StartupError(
        `Citus already has the table ${table}, but not ${as === 'reference' ? 'as a reference table' : 'distributed by project'}: undistribute it first (undistribute_table).`,
      );
    return { table, as, wasBefore: kind !== null };
  });
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * The foreign keys to or from these tables. They are dropped while tables are placed: Citus would otherwise convert
 * local tables that refer to a reference table, and could not distribute those with an identity column.
 */
function foreignKeys(runner: QueryRunner, tables: readonly string[]): Promise<ForeignKey[]> {
  return rowsOf(
    runner,
    `SELECT c.conrelid::regclass::text AS table, quote_ident(c.conname) AS name,
      pg_get_constraintdef(c.oid) AS definition
    FROM pg_constraint c
    WHERE c.contype = 'f' AND ARRAY[c.conrelid, c.confrelid] && ARRAY(
      SELECT to_regclass('public.' || t.name)::oid FROM unnest($1::text[]) AS t (name))
    ORDER BY c.conrelid::regclass::text, c.conname`,
    [tables],
  );
}

async function place(runner: QueryRunner, table: string, as: PlacedTable['as']): Promise<void> {
  if (as === 'reference') await runner.query('SELECT create_reference_table($1::regclass)', [table]);
  else
    await runner.query('SELECT create_distributed_table($1::regclass, $2::text, colocate_with => $3::text)', [
      table,
      DISTRIBUTION_COLUMN,
      table === FIRST ? 'none' : FIRST,
    ]);
}

/** Grants the privileges that the service needs on nodes to which only Citus connects. */
async function grantPrivileges(runner: QueryRunner): Promise<void> {
  // Checking foreign keys locks the referenced rows, which requires the privilege to update a column. Citus may not
  // have copied column privileges with the table. See the first migration.
  await runner.query(`GRANT UPDATE (${DISTRIBUTION_COLUMN}) ON changes TO CURRENT_USER`);
  // Citus connects to the nodes with the role of the session, so the role needs LOGIN. It has no password.
  const [role] = await rowsOf<{ login: boolean }>(
    runner,
    'SELECT rolcanlogin AS login FROM pg_roles WHERE rolname = $1',
    [SERVICE_ROLE],
  );
  if (role?.login === false) await runner.query(`ALTER ROLE ${SERVICE_ROLE} LOGIN`);
}
