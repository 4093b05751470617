import { sql, type Sql } from '../sql';

const digitsOf = (number: Sql): Sql => sql`lpad(to_hex(${number}), 16, '0')`;

const digitsOfPosition = (position: Sql): Sql => digitsOf(sql`(${position} - '0/0'::pg_lsn)::bigint`);

/** The digits of the cluster's identifier. */
const cluster: Sql = digitsOf(sql`(SELECT system_identifier FROM pg_control_system())`);

const positionIn = (position: Sql): Sql => sql`
  SELECT ${cluster} || '-' || lower(left(pg_walfile_name(p.lsn), 8)) AS log, ${digitsOfPosition(sql`p.lsn`)} AS at
  FROM (SELECT ${position} AS lsn) p`;

/** How far the primary's log can be sent to replicas, as a `LogPosition`. */
export const FLUSHED: Sql = positionIn(sql`pg_current_wal_flush_lsn()`);

/**
 * A position behind every transaction that this session has committed. They are flushed by then, unless commits do not
 * wait for that: then it is where the log goes on, which may be a little beyond what a replica can have.
 */
export const COMMITTED: Sql = positionIn(sql`CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`);

/** What a replica says of itself. */
export interface Replayed {
  [column: string]: unknown;
  /** Whether it follows another server. */
  readonly follows: boolean;
  /** The cluster's identifier: the first digits of a log. */
  readonly cluster: string;
  /** How far it has replayed the log that it follows. */
  readonly at: string;
}

/** How far a replica has got, as `Replayed`. */
export const REPLAYED: Sql = sql`SELECT pg_is_in_recovery() AS follows, ${cluster} AS cluster,
  ${digitsOfPosition(sql`COALESCE(pg_last_wal_replay_lsn(), '0/0'::pg_lsn)`)} AS at`;
