import type { Client } from 'pg';

/** A fake of the Citus functions and catalogs that `distribute` uses. It records the calls. */
const STAND_IN = `
  CREATE SCHEMA citus;
  CREATE TABLE citus.pg_dist_local_group (groupid integer NOT NULL);
  INSERT INTO citus.pg_dist_local_group VALUES (0);
  CREATE TABLE citus.pg_dist_partition (
    logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, partkey text, repmodel "char" NOT NULL);
  CREATE TABLE citus.calls (
    ordinal bigint GENERATED ALWAYS AS IDENTITY, call text, mode text, foreign_keys bigint);

  CREATE FUNCTION citus.column_to_column_name(regclass, text) RETURNS text LANGUAGE sql RETURN $2;
  CREATE FUNCTION citus.note(call text) RETURNS void LANGUAGE sql
    BEGIN ATOMIC
      INSERT INTO citus.calls (call, mode, foreign_keys) VALUES ($1,
        current_setting('citus.multi_shard_modify_mode', true), (SELECT count(*) FROM pg_constraint WHERE contype = 'f'));
    END;
  CREATE FUNCTION citus.create_reference_table(table_name regclass) RETURNS void LANGUAGE sql
    BEGIN ATOMIC
      SELECT citus.note(format('reference %s', $1));
      INSERT INTO citus.pg_dist_partition VALUES ($1, 'n', NULL, 't');
    END;
  CREATE FUNCTION citus.create_distributed_table(table_name regclass, distribution_column text,
    distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL)
    RETURNS void LANGUAGE sql
    BEGIN ATOMIC
      SELECT citus.note(format('distributed %s by %s with %s', $1, $2, $4));
      INSERT INTO citus.pg_dist_partition VALUES ($1, 'h', $2, 's');
    END`;

/** Makes a database look like a Citus coordinator. */
export async function standInForCitus(client: Client): Promise<void> {
  await client.query(STAND_IN);
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  await client.query(`ALTER DATABASE ${rows[0]?.name ?? ''} SET search_path TO public, citus`);
}
