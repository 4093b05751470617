import type { StreamPatience } from '../streamed-response';

/** What long answers of one sort, which are made while they are sent, may take of a process. */
export interface StreamLimits {
  /** So many exports are made at a time … */
  readonly mostExports: number;
  /** … and, beside them, so many answers for programs of others. */
  readonly mostReadings: number;
  /** Each keeps a connection to the database while it waits for its client. */
  readonly patience: StreamPatience;
}

/** The injection token of `StreamLimits`. */
export const STREAM_LIMITS = Symbol('stream limits');

/** In answers of each sort. */
const MOST = 4;

/**
 * How many are made at a time by who has so many connections to the database. Each keeps one for as long as its client takes:
 * together they have fewer than half, so that most are left for all others; but one of each sort is always made.
 */
export function mostStreams(connections: number): Pick<StreamLimits, 'mostExports' | 'mostReadings'> {
  const bounded = (most: number) => Math.max(1, Math.min(MOST, Math.floor(most)));
  const mostExports = bounded(connections / 4);
  return { mostExports, mostReadings: bounded((connections - 1) / 2 - mostExports) };
}
