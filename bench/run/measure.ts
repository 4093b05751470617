import type { StatementTimes } from './database';
import { round, type MeasuredServer, type Round, type Side } from './load';
import { median, percentile } from './statistics';

/** The duration and number of rounds. */
export interface Effort {
  /** The approximate duration of a round. */
  readonly seconds: number;
  /** The number of rounds of each side. */
  readonly rounds: number;
  /** The duration of the warm-up of a side whose process was measured before: see `FIRST_REQUESTS`. */
  readonly warmUp: number;
}

/** The figures of one side over all rounds. */
export interface Figures {
  readonly requests: number;
  readonly errors: number;
  /** The average size of a response, including headers. */
  readonly bytes: number;
  /** Requests per second: the median of the rounds. */
  readonly throughput: number;
  /** Latency (ms) over all rounds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time (µs) per request; undefined without /proc. */
  readonly nodeCpu: number | undefined;
  readonly postgresCpu: number | undefined;
  /** Per request. Times in milliseconds. */
  readonly statements: StatementTimes;
}

/** One side compared with another: the medians of the ratios of corresponding rounds. */
export interface Ratios {
  readonly throughput: number;
  readonly p50: number;
  /** The minimum and maximum of the rounds' ratios of throughput. */
  readonly spread: readonly [number, number];
}

export type SideName = 'service' | 'floor' | 'reference';

export interface Measured {
  readonly figures: Readonly<Partial<Record<SideName, Figures>>>;
  readonly ratio: (one: SideName, other: SideName) => Ratios;
}

interface Load {
  readonly connections: number;
  readonly server: MeasuredServer;
}

/** Measures the sides of a case in turns. */
export async function measure(
  sides: Readonly<Partial<Record<SideName, Side>>>,
  { seconds, rounds, warmUp }: Effort,
  load: Load,
): Promise<Measured> {
  const parties = (Object.entries(sides) as [SideName, Side][]).map(([name, side]) => ({
    name,
    side,
    amount: 0,
    rounds: [] as Round[],
  }));
  for (const party of parties) party.amount = await amountFor(party.side, { seconds, warmUp }, load);
  for (let turn = 0; turn < rounds; turn++) {
    for (const { side, amount, rounds } of parties) {
      await side.watch?.begin();
      rounds.push(await round(side, { ...load, amount }));
      await side.watch?.end();
    }
  }
  const roundsOf = (name: SideName) => parties.find((party) => party.name === name)?.rounds ?? [];
  return {
    figures: Object.fromEntries(parties.map(({ name, rounds }) => [name, figuresOf(rounds)])),
    ratio: (one, other) => ratiosOf(roundsOf(one), roundsOf(other)),
  };
}

/**
 * The warm-up of a process that was not measured before takes until it has answered this many requests: V8 compiles its code while
 * it answers them. A list takes twice the CPU time of later ones in the first 30 requests, and 1.5 times in the next 300.
 */
const FIRST_REQUESTS = 1000;
/** But at most this many times as long as that of another process. */
const MAX_FIRST_WARM_UP = 10;

/** The ids of the processes that were measured before. */
const measuredProcesses = new Set<number>();

/** The number of requests that a side serves in a round. Measuring it warms the side up. */
async function amountFor(
  side: Side,
  { seconds, warmUp }: Pick<Effort, 'seconds' | 'warmUp'>,
  load: Load,
): Promise<number> {
  const isWarm = measuredProcesses.has(side.pid);
  measuredProcesses.add(side.pid);
  let amount = load.connections;
  for (let spent = 0, answered = 0; ;) {
    const { requests, seconds: taken } = await round(side, { ...load, amount });
    spent += taken;
    answered += requests;
    const perSecond = requests / taken;
    const untilWarm = isWarm
      ? 0
      : Math.min((FIRST_REQUESTS - answered) / perSecond, MAX_FIRST_WARM_UP * warmUp - spent);
    const left = Math.max(warmUp - spent, untilWarm);
    // At least one request per connection, and at least three.
    if (left <= 0) return Math.max(load.connections, 3, Math.round(perSecond * seconds));
    amount = Math.max(load.connections, Math.round(perSecond * Math.max(left, 0.05)));
  }
}

function figuresOf(rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap((one) => one.latencies);
  const requests = total(rounds.map((one) => one.requests));
  const perRequest = (cpu: readonly (number | undefined)[]) => {
    const known = cpu.filter((one) => one !== undefined);
    return known.length === rounds.length ? (total(known) / requests) * 1e6 : undefined;
  };
  return {
    requests,
    errors: total(rounds.map((one) => one.errors)),
    bytes: total(rounds.map((one) => one.bytes)) / requests,
    throughput: median(rounds.map((one) => one.requests / one.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    nodeCpu: perRequest(rounds.map((one) => one.nodeCpu)),
    postgresCpu: perRequest(rounds.map((one) => one.postgresCpu)),
    statements: {
      statements: total(rounds.map((one) => one.statements.statements)) / requests,
      planning: total(rounds.map((one) => one.statements.planning)) / requests,
      execution: total(rounds.map((one) => one.statements.execution)) / requests,
    },
  };
}

function ratiosOf(ones: readonly Round[], others: readonly Round[]): Ratios {
  const pairs = ones.flatMap((one, i) => {
    const other = others[i];
    return other ? [[one, other] as const] : [];
  });
  const throughput = pairs.map(([a, b]) => a.requests / a.seconds / (b.requests / b.seconds));
  return {
    throughput: median(throughput),
    p50: median(pairs.map(([a, b]) => percentile(a.latencies, 0.5) / percentile(b.latencies, 0.5))),
    spread: [Math.min(...throughput), Math.max(...throughput)],
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);
