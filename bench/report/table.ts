import type { Figures } from '../run/measure';
import type { CaseResult, Results } from './results';

const COLUMNS = [
  'case',
  'bar',
  'measured',
  '',
  'req/s',
  'p50',
  'p99',
  'CPU node',
  'CPU pg',
  'plan',
  'execute',
  'statements',
  'of floor',
] as const;

/** Two or three significant digits. */
export const number = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
};

/** The figures of the service and the floor. */
const both = ({ figures }: CaseResult, of: (side: Figures) => number | undefined): string =>
  [figures.service, figures.floor].map((side) => number(side && of(side))).join(' / ');

function cells(one: CaseResult): string[] {
  return [
    one.name,
    one.bar,
    one.value,
    one.reached ? '✓' : '✗',
    both(one, (side) => side.throughput),
    both(one, (side) => side.p50),
    both(one, (side) => side.p99),
    both(one, (side) => side.nodeCpu),
    both(one, (side) => side.postgresCpu),
    number(one.figures.service?.statements.planning),
    number(one.figures.service?.statements.execution),
    number(one.figures.service?.statements.statements),
    `${number(one.throughputToFloor)} (${one.spread.map(number).join('–')})`,
  ];
}

function groupsOf(results: Results): Map<string, CaseResult[]> {
  const groups = new Map<string, CaseResult[]>();
  for (const one of results.cases) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}

/** For a terminal. */
export function textTable(results: Results): string {
  const rows = results.cases.map(cells);
  const widths = COLUMNS.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  const groups = [...groupsOf(results)].flatMap(([group, members]) => [
    '',
    group,
    ...members.map((one) => line(cells(one))),
  ]);
  return [line(COLUMNS), ...groups, '', summary(results)].join('\n');
}

export function summary({ reached, cases, machine, minutes, leftOut }: Results): string {
  return [
    `${String(reached)} of ${String(cases.length)} bars are reached, in ${String(minutes)} minutes on ${String(machine.processors)} × ${machine.model}, ` +
      `${String(machine.memoryGiB)} GiB, Node ${machine.node}, PostgreSQL ${machine.postgres}.`,
    'Figures are the service’s and the floor’s: milliseconds, and microseconds of CPU for each request. ' +
      'Of the service: milliseconds that PostgreSQL plans and executes, and its statements, for each request.',
    ...leftOut.map((what) => `Left out: ${what}`),
    ...cases
      .filter((one) => !one.reached)
      .map((one) => `MISSED: ${one.name}: ${one.value}, and the bar is ${one.bar}.`),
  ].join('\n');
}

/** For docs/performance.md. */
export function markdownTables(results: Results): string {
  const { machine, finished, minutes, rounds, seconds, fleet } = results;
  const head =
    `Run of ${finished.slice(0, 10)}, ${String(minutes)} minutes: ${String(rounds)} rounds of ${String(seconds)} s, the large fleet with ` +
    `${fleet.toLocaleString('en')} devices; ${String(machine.processors)} × ${machine.model}, ${String(machine.memoryGiB)} GiB, ` +
    `Node ${machine.node}, PostgreSQL ${machine.postgres}. **${String(results.reached)} of ${String(results.cases.length)} bars are reached.**`;
  const groups = [...groupsOf(results)].flatMap(([group, members]) => [
    '',
    `#### ${group}`,
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `| ${COLUMNS.map(() => '---').join(' | ')} |`,
    ...members.map((one) => `| ${cells(one).join(' | ')} |`),
  ]);
  return [head, ...results.leftOut.map((what) => `\nLeft out: ${what}`), ...groups].join('\n');
}
