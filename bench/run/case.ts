import type { Side } from './load';
import type { Stage } from './stage';

/** What a case has to reach. */
export type Bar =
  /** At least this share of the floor's throughput; and so many MiB of memory at most that come with a large answer. */
  | { readonly of: 'throughput'; readonly least: number; readonly growth?: number }
  /** The median latency is at most so many times the reference's. */
  | { readonly of: 'reference'; readonly most: number }
  /** Latencies in milliseconds. */
  | { readonly of: 'latency'; readonly p50: number; readonly p99: number }
  /** No error; milliseconds of delay of the event loop (p99); MiB of memory. */
  | { readonly of: 'service'; readonly delay: number; readonly memory: number };

/** What a case has seen of the service's process beside times. */
export interface Observed {
  /** Milliseconds by which the event loop was late, p99: of the worst round. */
  readonly eventLoopDelay?: number;
  /** The most memory that the process has held, in MiB. */
  readonly peakMemory?: number;
  /** How much more it was with the case's answers than with small ones, in MiB. */
  readonly memoryGrowth?: number;
}

export interface Sides {
  readonly service: Side;
  readonly floor: Side;
  /** What the service is compared to where that is not the floor: itself, asked for something else. */
  readonly reference?: Side;
  /** Asked when all rounds are over. */
  readonly observe?: () => Promise<Observed>;
}

/** One line of the benchmark. */
export interface Case {
  readonly name: string;
  /** What belongs together. */
  readonly group: string;
  readonly bar: Bar;
  /** How many ask at the same time. */
  readonly connections: number;
  /** What the floor is, in a word or two. */
  readonly floor: string;
  /** What the reference is. */
  readonly reference?: string;
  /** One of many of its kind: its rounds are shorter. */
  readonly short?: boolean;
  prepare(stage: Stage): Promise<Sides>;
}

/** As many as keep both processors of a small machine busy. */
export const BUSY = 16;
/** One that waits for its answer: latency without a queue. */
export const ALONE = 1;
