import type { Case, Observed } from '../run/case';
import type { Measured, Ratios } from '../run/measure';

/** Whether a case has reached its bar. */
export interface Verdict {
  readonly reached: boolean;
  /** The bar and the measured value as text. */
  readonly bar: string;
  readonly value: string;
  /** The ratio to the bar: 1 reaches it, more is better. For several conditions, the worst ratio. */
  readonly margin: number;
}

/** The measurements of one case. */
export interface Measurements {
  readonly figures: Measured['figures'];
  readonly toFloor: Ratios;
  readonly toReference: Ratios | undefined;
  readonly observed: Observed;
}

/** One condition of a bar. */
interface Condition {
  readonly bar: string;
  readonly value: string;
  readonly margin: number;
}

const atLeast = (value: number, bar: number, text: string): Condition => ({
  bar: `≥ ${String(bar)} ${text}`,
  // Rounded down, so that a missed bar does not look reached.
  value: (Math.floor(value * 100) / 100).toFixed(2),
  margin: value / bar,
});

const atMost = (value: number | undefined, bar: number, name: string, unit: string): Condition[] =>
  value === undefined
    ? []
    : [
        {
          bar: `${name} ≤ ${String(bar)}${unit}`,
          value: `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)}${unit}`,
          margin: bar / Math.max(value, bar / 100),
        },
      ];

/** Compares the measurements with the case's bar. */
export function verdictOn({ bar }: Case, measured: Measurements): Verdict {
  const conditions = conditionsOf(bar, measured);
  const errors = measured.figures.service?.errors ?? 0;
  const margin = errors > 0 ? 0 : Math.min(...conditions.map((one) => one.margin));
  return {
    reached: margin >= 1,
    bar: conditions.map((one) => one.bar).join(', '),
    value: [...conditions.map((one) => one.value), ...(errors > 0 ? [`${String(errors)} errors`] : [])].join(
      ', ',
    ),
    margin,
  };
}

function conditionsOf(
  bar: Case['bar'],
  { figures, toFloor, toReference, observed }: Measurements,
): Condition[] {
  switch (bar.of) {
    case 'throughput':
      return [
        atLeast(toFloor.throughput, bar.min, 'of the floor'),
        ...(bar.growth === undefined ? [] : atMost(observed.memoryGrowth, bar.growth, 'memory +', ' MiB')),
      ];
    case 'reference':
      return atMost(toReference?.p50, bar.max, 'p50', '×');
    case 'latency':
      return [
        ...atMost(figures.service?.p50, bar.p50, 'p50', ' ms'),
        ...atMost(figures.service?.p99, bar.p99, 'p99', ' ms'),
        ...(bar.ratio === undefined ? [] : atMost(toReference?.p50, bar.ratio, 'p50', '×')),
      ];
    case 'service':
      return [
        ...atMost(observed.eventLoopDelay, bar.delay, 'event loop p99', ' ms'),
        ...atMost(observed.peakMemory, bar.memory, 'memory', ' MiB'),
      ];
  }
}
