import type { WalPosition } from '../../core/wal-position';
import { sql, type Sql } from '../sql';

/** Where the primary was, and when it was asked. */
interface Sample {
  readonly at: string;
  /** In milliseconds of this process' clock, from before the question. */
  readonly time: number;
}

/**
 * Where the primary's log was at which time, by which is known how old what a replica shows can be. It needs no clock
 * but this process', is right for a replica that has lost its connection, and for one that has nothing to replay.
 */
export class PrimaryPosition {
  private log = '';
  private samples: Sample[] = [];

  /** @param keptMs what a replica lacks for longer needs not be told from what it lacks for ever */
  constructor(private readonly keptMs: number) {}

  /** The log that the primary writes; empty while it is not known. */
  get name(): string {
    return this.log;
  }

  /** The cluster that it is of: the first digits of a log. */
  get cluster(): string {
    return this.log.slice(0, 16);
  }

  note({ log, at }: WalPosition, time: number): void {
    const last = this.samples.at(-1);
    // Another server is the primary by now: of what the former one wrote it may lack something.
    if (log !== this.log || (last && at < last.at)) this.samples = [];
    this.log = log;
    this.samples.push({ at, time });
    // One that is too old remains: it is what all that is young enough comes after.
    const first = this.samples.findIndex((sample) => sample.time > time - this.keptMs);
    this.samples.splice(0, Math.max(first - 1, 0));
  }

  /** How old what is shown at a position can be at most, in milliseconds. */
  ageOf(at: string, now = Date.now()): number {
    const reached = this.samples.findLast((sample) => sample.at <= at);
    return reached ? now - reached.time : Infinity;
  }

  /** For how long, in milliseconds, something is lacking at a position that was there when the primary was asked. */
  lagOf(at: string, now = Date.now()): number {
    if (this.ageOf(at, now) === Infinity) return Infinity;
    const lacking = this.samples.find((sample) => sample.at > at);
    return lacking ? now - lacking.time : 0;
  }
}

const digitsOf = (number: Sql): Sql => sql`lpad(to_hex(${number}), 16, '0')`;

const digitsOfPosition = (position: Sql): Sql => digitsOf(sql`(${position} - '0/0'::pg_lsn)::bigint`);

/** The digits of the cluster's identifier. */
const cluster: Sql = digitsOf(sql`(SELECT system_identifier FROM pg_control_system())`);

const positionIn = (position: Sql): Sql => sql`
  SELECT ${cluster} || '-' || lower(left(pg_walfile_name(p.lsn), 8)) AS log, ${digitsOfPosition(sql`p.lsn`)} AS at
  FROM (SELECT ${position} AS lsn) p`;

/** How far the primary's log can be sent to replicas, as a `WalPosition`. */
export const FLUSHED_POSITION: Sql = positionIn(sql`pg_current_wal_flush_lsn()`);

/**
 * A position behind every transaction that this session has committed. They are flushed by then, unless commits do not
 * wait for that: then it is where the log goes on, which may be a little beyond what a replica can have.
 */
export const COMMITTED_POSITION: Sql = positionIn(sql`CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`);

/** What a replica says of itself. */
export interface ReplayedPosition {
  [column: string]: unknown;
  /** Whether it follows another server. */
  readonly follows: boolean;
  /** The cluster's identifier: the first digits of a log. */
  readonly cluster: string;
  /** How far it has replayed the log that it follows. */
  readonly at: string;
}

/** How far a replica has got, as `ReplayedPosition`. */
export const REPLAYED_POSITION: Sql = sql`SELECT pg_is_in_recovery() AS follows, ${cluster} AS cluster,
  ${digitsOfPosition(sql`COALESCE(pg_last_wal_replay_lsn(), '0/0'::pg_lsn)`)} AS at`;
