import type { WalPosition } from '../../core/wal-position';
import { sql, type Sql } from '../sql';

/** A position of the primary, and the time of the query. */
interface Sample {
  readonly at: string;
  /** Milliseconds of this process's clock, before the query. */
  readonly time: number;
}

/**
 * The recent positions of the primary, from which the lag of a replica is computed. It only uses the clock of this
 * process. It is correct for a replica that has lost its connection, and for one that has nothing to replay.
 */
export class PrimaryPosition {
  private log = '';
  private samples: Sample[] = [];

  /** @param windowMs how long samples are kept: a longer lag is not measured */
  constructor(private readonly windowMs: number) {}

  /** The log of the primary; empty while it is unknown. */
  get name(): string {
    return this.log;
  }

  /** The identifier of the cluster: the first digits of a log. */
  get cluster(): string {
    return this.log.slice(0, 16);
  }

  addSample({ log, at }: WalPosition, time: number): void {
    const last = this.samples.at(-1);
    // Another server became the primary. It can lack writes of the previous one.
    if (log !== this.log || (last && at < last.at)) this.samples = [];
    this.log = log;
    this.samples.push({ at, time });
    // The newest sample outside of the window is kept, as the lower bound.
    const first = this.samples.findIndex((sample) => sample.time > time - this.windowMs);
    this.samples.splice(0, Math.max(first - 1, 0));
  }

  /** The maximum age of the data at a position, in milliseconds. */
  ageOf(at: string, now = Date.now()): number {
    const reached = this.samples.findLast((sample) => sample.at <= at);
    return reached ? now - reached.time : Infinity;
  }

  /** How long, in milliseconds, writes of the primary have been missing at a position. */
  lagOf(at: string, now = Date.now()): number {
    if (this.ageOf(at, now) === Infinity) return Infinity;
    const missing = this.samples.find((sample) => sample.at > at);
    return missing ? now - missing.time : 0;
  }
}

const digitsOf = (number: Sql): Sql => sql`lpad(to_hex(${number}), 16, '0')`;

const digitsOfPosition = (position: Sql): Sql => digitsOf(sql`(${position} - '0/0'::pg_lsn)::bigint`);

/** The digits of the cluster's identifier. */
const cluster: Sql = digitsOf(sql`(SELECT system_identifier FROM pg_control_system())`);

const positionIn = (position: Sql): Sql => sql`
  SELECT ${cluster} || '-' || lower(left(pg_walfile_name(p.lsn), 8)) AS log, ${digitsOfPosition(sql`p.lsn`)} AS at
  FROM (SELECT ${position} AS lsn) p`;

/** The position up to which the primary can send its log to replicas, as a `WalPosition`. */
export const FLUSHED_POSITION: Sql = positionIn(sql`pg_current_wal_flush_lsn()`);

/**
 * A position after every transaction that this session has committed. With `synchronous_commit = off` they may not be
 * flushed, so it is the insert position, which can be slightly beyond what a replica can have.
 */
export const COMMITTED_POSITION: Sql = positionIn(sql`CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`);

/** The replay state of a replica. */
export interface ReplayedPosition {
  [column: string]: unknown;
  /** Whether it is in recovery, following another server. */
  readonly follows: boolean;
  /** The cluster's identifier: the first digits of a log. */
  readonly cluster: string;
  /** The position up to which it has replayed the log. */
  readonly at: string;
}

/** The query for a `ReplayedPosition`. */
export const REPLAYED_POSITION: Sql = sql`SELECT pg_is_in_recovery() AS follows, ${cluster} AS cluster,
  ${digitsOfPosition(sql`COALESCE(pg_last_wal_replay_lsn(), '0/0'::pg_lsn)`)} AS at`;
