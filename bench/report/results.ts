import { cpus, totalmem } from 'node:os';
import type { Case, Observed } from '../run/case';
import type { EverydayFigures } from '../everyday';
import type { Measured } from '../run/measure';
import type { Options } from '../run/options';
import type { Measurements, Verdict } from './verdict';

/** The result of one case. */
export interface CaseResult extends Verdict {
  readonly name: string;
  readonly group: string;
  readonly connections: number;
  /** What the floor and the reference are. */
  readonly floor: string;
  readonly reference?: string;
  readonly throughputToFloor: number;
  /** The minimum and maximum of the rounds. */
  readonly spread: readonly [number, number];
  readonly p50ToReference?: number;
  readonly figures: Measured['figures'];
  readonly observed: Observed;
}

/** The results of a run. */
export interface Results {
  readonly finished: string;
  readonly machine: {
    readonly processors: number;
    readonly model: string;
    readonly memoryGiB: number;
    readonly node: string;
    readonly postgres: string;
  };
  readonly fleet: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly reached: number;
  /** Parts that were left out, and why. */
  readonly leftOut: readonly string[];
  readonly everyday: readonly EverydayFigures[];
  readonly cases: readonly CaseResult[];
}

export function resultOf(one: Case, measured: Measurements, verdict: Verdict): CaseResult {
  const { toFloor, toReference, figures, observed } = measured;
  return {
    name: one.name,
    group: one.group,
    ...verdict,
    connections: one.connections,
    floor: one.floor,
    ...(one.reference === undefined ? {} : { reference: one.reference }),
    throughputToFloor: toFloor.throughput,
    spread: toFloor.spread,
    ...(toReference ? { p50ToReference: toReference.p50 } : {}),
    figures,
    observed,
  };
}

export function resultsOf(
  cases: readonly CaseResult[],
  run: {
    readonly options: Options;
    readonly postgres: string;
    readonly startedAt: number;
    readonly leftOut: readonly string[];
    readonly everyday: readonly EverydayFigures[];
  },
): Results {
  return {
    finished: new Date().toISOString(),
    machine: {
      processors: cpus().length,
      model: cpus()[0]?.model ?? '',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.versions.node,
      postgres: run.postgres,
    },
    fleet: run.options.size,
    rounds: run.options.rounds,
    seconds: run.options.seconds,
    minutes: Math.round((performance.now() - run.startedAt) / 6_000) / 10,
    reached: cases.filter(({ reached }) => reached).length,
    leftOut: run.leftOut,
    everyday: run.everyday,
    cases,
  };
}

/** JSON with significant digits only. */
export const jsonOf = (results: Results): string =>
  `${JSON.stringify(results, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)}\n`;
