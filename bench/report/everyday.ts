import type { EverydayFigures } from '../everyday';
import { styleOf } from './chart';
import type { Results } from './results';
import { number } from './table';

/** The figures of each question, in the order of the sizes. */
function byQuestion(figures: readonly EverydayFigures[]): Map<string, EverydayFigures[]> {
  const questions = new Map<string, EverydayFigures[]>();
  for (const one of figures) questions.set(one.question, [...(questions.get(one.question) ?? []), one]);
  return questions;
}

const sizesOf = (figures: readonly EverydayFigures[]): number[] => [
  ...new Set(figures.map(({ devices }) => devices)),
];

const inDevices = (devices: number): string => `${devices.toLocaleString('en')} devices`;

/** For docs/performance.md: requests per second, and milliseconds for each size. */
export function everydayTable(figures: readonly EverydayFigures[]): string {
  const columns = ['question', ...sizesOf(figures).map((devices) => `${inDevices(devices)}: req/s, p50`)];
  const rows = [...byQuestion(figures)].map(([question, sizes]) => [
    question,
    ...sizes.map(({ throughput, p50 }) => `${number(throughput)}, ${number(p50)} ms`),
  ]);
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** For docs/performance.md. */
export const everydayParagraphs = ({ everyday, finished, machine }: Results): string =>
  `Measured on ${finished.slice(0, 10)}, with the load generator, the service and PostgreSQL on ${String(machine.processors)} × ${machine.model}:\n\n${everydayTable(everyday)}`;

const WIDTH = 900;
const LEFT = 300;
const RIGHT = 120;
const BAR = 12;
const GAP = 14;
const TOP = 62;

const STYLE = styleOf(
  '.size0 { fill: #54aeff; } .size1 { fill: #0969da; } .size2 { fill: #0a3069; }',
  '.size0 { fill: #a5d6ff; } .size1 { fill: #58a6ff; } .size2 { fill: #1f6feb; }',
);

/** A chart of the median latencies, with one bar for each size. */
export function everydayChart(figures: readonly EverydayFigures[]): string {
  const longest = Math.max(...figures.map(({ p50 }) => p50));
  const parts: string[] = [];
  let y = TOP;
  for (const [question, sizes] of byQuestion(figures)) {
    const middle = y + (sizes.length * BAR) / 2 + 4;
    parts.push(`<text x="${String(LEFT - 8)}" y="${String(middle)}" text-anchor="end">${question}</text>`);
    sizes.forEach(({ p50 }, i) => {
      const width = Math.max(1, (p50 / longest) * (WIDTH - LEFT - RIGHT));
      parts.push(
        `<rect class="size${String(i)}" x="${String(LEFT)}" y="${String(y)}" width="${width.toFixed(1)}" height="${String(BAR - 2)}"/>`,
        `<text class="quiet" x="${(LEFT + width + 6).toFixed(1)}" y="${String(y + 9)}">${number(p50)} ms</text>`,
      );
      y += BAR;
    });
    y += GAP;
  }
  const legend = sizesOf(figures).map((devices, i) => {
    const x = LEFT + i * 150;
    return `<rect class="size${String(i)}" x="${String(x)}" y="36" width="10" height="10"/><text x="${String(x + 16)}" y="45">${inDevices(devices)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(y)}" role="img" aria-label="The median latency of everyday questions">
<style>${STYLE}
</style>
<rect class="ground" width="100%" height="100%"/>
<text class="title" x="12" y="24">The median latency of everyday questions</text>
${[...legend, ...parts].join('\n')}
</svg>
`;
}
