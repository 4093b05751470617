import type { CaseResult, Results } from './results';

const WIDTH = 1100;
const LEFT = 400;
/** Space for the figures after the longest bar. */
const RIGHT = 350;
const ROW = 18;
const GROUP = 30;
const TOP = 54;
/** The largest margin that fits. Larger ones are truncated. */
const MAX_MARGIN = 4;

/**
 * The style of a chart, readable on a light page and on a dark one.
 * @param light the colours of its bars
 * @param dark the same on a dark page
 */
export const styleOf = (light: string, dark: string): string => `
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 15px; font-weight: 600; } .group { font-weight: 600; }
  .line { stroke: #24292f; stroke-dasharray: 3 3; } .ground { fill: #ffffff; } .quiet { fill: #57606a; }
  ${light}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .line { stroke: #e6edf3; } .ground { fill: #0d1117; } .quiet { fill: #8d96a0; }
    ${dark}
  }`;

const STYLE = styleOf(
  '.reached { fill: #2da44e; } .missed { fill: #cf222e; }',
  '.reached { fill: #3fb950; } .missed { fill: #f85149; }',
);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The x coordinate of a margin, on a logarithmic scale that begins at a quarter. */
function x(margin: number): number {
  const [low, high] = [-2, Math.log2(MAX_MARGIN)];
  const at = (Math.min(high, Math.max(low, Math.log2(margin))) - low) / (high - low);
  return LEFT + at * (WIDTH - LEFT - RIGHT);
}

/** A chart with a bar for each case, and a line that it has to reach. */
export function chartOf(results: Results): string {
  const parts: string[] = [];
  let y = TOP;
  let group = '';
  for (const one of results.cases) {
    if (one.group !== group) {
      y += GROUP;
      group = one.group;
      parts.push(`<text class="group" x="12" y="${String(y - 8)}">${escaped(group)}</text>`);
    }
    parts.push(rowOf(one, y));
    y += ROW;
  }
  const height = y + 20;
  const bar = x(1).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="How far each case of the benchmark is beyond its bar">
<style>${STYLE}
</style>
<rect class="ground" width="100%" height="100%"/>
<text class="title" x="12" y="24">How far each case is beyond its bar</text>
<text class="quiet" x="12" y="42">To the right of the line is better; each doubling takes the same room. ${String(results.reached)} of ${String(results.cases.length)} are reached.</text>
<line class="line" x1="${bar}" x2="${bar}" y1="${String(TOP)}" y2="${String(height - 12)}"/>
${parts.join('\n')}
</svg>
`;
}

function rowOf(one: CaseResult, y: number): string {
  const end = x(one.margin);
  const kind = one.reached ? 'reached' : 'missed';
  return [
    `<text x="${String(LEFT - 8)}" y="${String(y + 12)}" text-anchor="end">${escaped(one.name)}</text>`,
    `<rect class="${kind}" x="${String(LEFT)}" y="${String(y + 2)}" width="${Math.max(1, end - LEFT).toFixed(1)}" height="${String(ROW - 5)}" rx="2"/>`,
    `<text class="quiet" x="${(end + 6).toFixed(1)}" y="${String(y + 12)}">${escaped(`${one.value} (${one.bar})`)}</text>`,
  ].join('\n');
}
