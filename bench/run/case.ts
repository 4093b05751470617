import type { Side } from './load';
import type { Stage } from './stage';

/** The target of a case. */
export type Bar =
  /** The minimum share of the floor's throughput, and the maximum memory growth (MiB) for a large response. */
  | { readonly of: 'throughput'; readonly min: number; readonly growth?: number }
  /** The maximum ratio of the median latency to the reference's. */
  | { readonly of: 'reference'; readonly max: number }
  /** Latencies in milliseconds, and the maximum ratio of the median latency to the reference's, if there is one. */
  | { readonly of: 'latency'; readonly p50: number; readonly p99: number; readonly ratio?: number }
  /** No errors; the event loop delay (ms, p99); memory (MiB). */
  | { readonly of: 'service'; readonly delay: number; readonly memory: number };

/** Other observations of the service's process. */
export interface Observed {
  /** The event loop delay (ms, p99) of the worst round. */
  readonly eventLoopDelay?: number;
  /** The peak memory of the process, in MiB. */
  readonly peakMemory?: number;
  /** The growth of peak memory compared with small responses, in MiB. */
  readonly memoryGrowth?: number;
}

export interface Sides {
  readonly service: Side;
  readonly floor: Side;
  /** The service with other requests, to compare with instead of the floor. */
  readonly reference?: Side;
  /** Called after all rounds. */
  readonly observe?: () => Promise<Observed>;
}

/** One line of the benchmark. */
export interface Case {
  readonly name: string;
  /** The group in the table. */
  readonly group: string;
  readonly bar: Bar;
  /** The number of concurrent connections. */
  readonly connections: number;
  /** A short description of the floor. */
  readonly floor: string;
  /** A short description of the reference. */
  readonly reference?: string;
  /** The duration of its rounds, as a multiple of the others; absent: one. */
  readonly duration?: number;
  prepare(stage: Stage): Promise<Sides>;
}

/** Enough connections to keep both processors of a small machine busy. */
export const BUSY = 16;
/** One connection, for latency without a queue. */
export const ALONE = 1;

/** The `duration` of the cases of a group that has many. */
export const SHORT = 0.4;
