import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A function with which the service updates the planner's statistics. Before PostgreSQL 17, only the owner of a table can.
 * Like the privilege of the migration `analyze`, it covers the tables that imports fill, and not the append-only ones.
 * With `quickly`, it omits documents, whose statistics take most of the time. If another session analyzes or vacuums the table,
 * it does nothing and returns false: a long import holds the lock until its end. Without `quickly`, it waits for three seconds before,
 * in which an autovacuum gives way.
 */
export class TableStatistics1764900000000 implements MigrationInterface {
  readonly name = 'TableStatistics1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION analyze_table');
  }
}

const statements = [
  `CREATE FUNCTION analyze_table(name text, quickly boolean) RETURNS boolean
     LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
   BEGIN
     IF name <> ALL (ARRAY['clouds', 'labels', 'regions', 'region_labels', 'cells', 'cell_labels', 'devices', 'device_labels',
         'variable_correlations']) THEN
       RAISE insufficient_privilege USING MESSAGE = format('the table %s cannot be analyzed', name);
     END IF;
     BEGIN
       IF NOT quickly THEN
         PERFORM set_config('lock_timeout', '3s', true);
       END IF;
       EXECUTE format('LOCK TABLE public.%I IN SHARE UPDATE EXCLUSIVE MODE %s', name, CASE WHEN quickly THEN 'NOWAIT' END);
     EXCEPTION WHEN lock_not_available THEN
       RETURN false;
     END;
     IF quickly THEN
       EXECUTE format('ANALYZE public.%I (%s)', name, (
         SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
         WHERE attrelid = format('public.%I', name)::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'jsonb'::regtype));
     ELSE
       EXECUTE format('ANALYZE public.%I', name);
     END IF;
     RETURN true;
   END $$`,
  `REVOKE EXECUTE ON FUNCTION analyze_table FROM PUBLIC`,
  `DO $$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'muster_app') THEN
       GRANT EXECUTE ON FUNCTION analyze_table TO muster_app;
     END IF;
   END $$`,
];
