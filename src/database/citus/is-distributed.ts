import type { DataSource, QueryRunner } from 'typeorm';
import { StartupError } from '../../core/errors';

/** The rows of a statement of TypeORM. */
export const rowsOf = <T>(
  on: DataSource | QueryRunner,
  statement: string,
  parameters: unknown[] = [],
): Promise<T[]> => on.query(statement, parameters) as Promise<T[]>;

/** Whether the tables are distributed by Citus, with `muster-admin distribute`. */
export async function isDistributed(on: DataSource | QueryRunner): Promise<boolean> {
  const [citus] = await rowsOf<{ catalog: string | null }>(
    on,
    `SELECT to_regclass('pg_dist_partition') AS catalog`,
  );
  if (!citus?.catalog) return false;
  const tables = await rowsOf(
    on,
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('changes')`,
  );
  return tables.length > 0;
}

/** @throws StartupError with this reason if the tables are distributed by Citus */
export async function refuseDistributed(on: DataSource | QueryRunner, reason: string): Promise<void> {
  if (await isDistributed(on)) throw new StartupError(`The tables are distributed by Citus${reason}`);
}
