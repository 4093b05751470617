import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import {
  BufferedPrinter,
  coloursFor,
  escapeControl,
  escapeControlInLines,
  printStatus,
  terminalWidth,
  type Colours,
} from './console';
import type { Rows } from './rows';

/** The widths of the columns are determined by this many rows. */
const MEASURED_ROWS = 500;
const GAP = '  ';
/** Columns are not made narrower than this. */
const MIN_COLUMN_WIDTH = 5;

/**
 * Prints rows as a table that fits the terminal. In a pipe nothing is truncated.
 * @param wraps whether long cells are wrapped instead of truncated
 * @returns the number of rows
 */
export async function printTable(rows: Rows, names: readonly string[], wraps = false): Promise<number> {
  const colours = coloursFor(process.stdout);
  const printer = new BufferedPrinter();
  let buffered: string[][] = [];
  let layout: Layout | undefined;
  let isComplete = false;
  let count = 0;
  const printHeader = async (): Promise<Layout> => {
    const created = createLayout(names, buffered, wraps);
    await printer.add(created.headerLine(names.map(headerText), colours.bold));
    for (const cells of buffered) await printer.add(created.rowLine(cells, colours));
    buffered = [];
    return created;
  };
  try {
    for await (const row of rows) {
      count++;
      const cells = names.map((name) => escapeControl(cellText(name, row[name])));
      if (layout) await printer.add(layout.rowLine(cells, colours));
      else if (buffered.push(cells) === MEASURED_ROWS) layout = await printHeader();
    }
    isComplete = true;
  } finally {
    // If reading the rows fails, print those that were read.
    if (isComplete || buffered.length > 0) layout ??= await printHeader();
    await printer.flush();
  }
  if (layout && layout.omitted.length > 0)
    printStatus(
      `Columns omitted because the terminal is too narrow: ${layout.omitted.join(', ')}. Use a wider terminal or "-o json".`,
    );
  return count;
}

/** Prints one object with a line for each member. Long values are wrapped. */
export async function printMembers(
  members: readonly (readonly [name: string, value: unknown])[],
): Promise<void> {
  const colours = coloursFor(process.stdout);
  const maxWidth = terminalWidth();
  const cells = members.map(
    ([name, value]) => [escapeControl(name), escapeControlInLines(cellText(name, value))] as const,
  );
  const widest = Math.max(...[...cells.map(([name]) => name), 'MEMBER'].map(displayWidth));
  const nameWidth = maxWidth === undefined ? widest : Math.min(widest, Math.floor(maxWidth / 2));
  const valueWidth = maxWidth === undefined ? undefined : maxWidth - nameWidth - GAP.length;
  const printer = new BufferedPrinter();
  await printer.add(`${colours.bold(`${pad('MEMBER', nameWidth)}${GAP}VALUE`)}\n`);
  for (const [name, value] of cells) {
    const lines = value
      .split('\n')
      .flatMap((line) => (valueWidth === undefined ? [line] : wrap(line, valueWidth)));
    for (const [at, line] of lines.entries()) {
      const head = pad(at === 0 ? truncate(name, nameWidth) : '', nameWidth);
      await printer.add(`${`${head}${GAP}${colourBoolean(line, colours)}`.trimEnd()}\n`);
    }
  }
  await printer.flush();
}

const TIME_NAME = /^(?:time|created|updated|[a-z]+_at)$/;
const FRACTION = /(?<=^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}$/;

/** A value as the text of a table cell. Times are shown without fractions of a second. */
function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return TIME_NAME.test(name) ? value.replace(FRACTION, '') : value;
  if (isLosslessNumber(value)) return value.toString();
  return exactJson.stringify(value);
}

const headerText = (name: string): string => escapeControl(name).toUpperCase();

const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

function colourBoolean(text: string, colours: Colours): string {
  if (text === 'true') return colours.green(text);
  return text === 'false' ? colours.yellow(text) : text;
}

/** The widths of the columns of a table, and how to print lines with them. */
interface Layout {
  /** The columns that do not fit. */
  readonly omitted: readonly string[];
  headerLine(cells: readonly string[], style: (text: string) => string): string;
  rowLine(cells: readonly string[], colours: Colours): string;
}

/** Makes columns as wide as their contents. If they do not fit the terminal, the widest are narrowed first. */
function createLayout(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  wraps: boolean,
): Layout {
  const widest = names.map((name, column) =>
    rows.reduce(
      (limit, cells) => Math.max(limit, displayWidth(cells[column] ?? '')),
      displayWidth(headerText(name)),
    ),
  );
  const maxWidth = terminalWidth();
  const widths = maxWidth === undefined ? widest : fitWidths(widest, maxWidth);
  const isTruncated = maxWidth !== undefined;
  const renderLine = (cells: readonly string[], style: (text: string) => string): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        const text = isTruncated ? truncate(cell, width) : cell;
        const space = column === widths.length - 1 ? '' : ' '.repeat(Math.max(0, width - displayWidth(text)));
        return style(text) + space;
      })
      .join(GAP)
      .trimEnd();
  const rowLines = (cells: readonly string[]): string[][] => {
    if (!isTruncated || !wraps) return [[...cells]];
    const wrapped = widths.map((width, column) => wrap(cells[column] ?? '', width));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) => wrapped.map((lines) => lines[line] ?? ''));
  };
  return {
    omitted: names.slice(widths.length),
    headerLine: (cells, style) => `${renderLine(cells, style)}\n`,
    rowLine: (cells, colours) =>
      rowLines(cells)
        .map((line) => `${renderLine(line, (text) => colourBoolean(text, colours))}\n`)
        .join(''),
  };
}

/** The widths of as many columns as fit, from left to right. */
function fitWidths(widest: readonly number[], maxWidth: number): readonly number[] {
  const minWidths = widest.map((width) => Math.min(width, MIN_COLUMN_WIDTH));
  const needed = minWidths.reduce((sum, width) => sum + width, GAP.length * (widest.length - 1));
  if (needed > maxWidth && widest.length > 1) return fitWidths(widest.slice(0, -1), maxWidth);
  const columns = maxWidth - GAP.length * (widest.length - 1);
  const total = (limit: number) => widest.reduce((sum, width) => sum + Math.min(width, limit), 0);
  let most = Math.max(...widest);
  while (most > 1 && total(most) > columns) most--;
  // The remaining space goes to narrowed columns, from left to right.
  let spare = columns - total(most);
  return widest.map((width) => {
    if (width <= most || spare <= 0) return Math.min(width, most);
    spare--;
    return most + 1;
  });
}

const ASCII = /^[\x20-\x7e]*$/;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter();
const graphemeWidths = new Map<string, number>();
let readline: Interface | undefined;

/** The number of terminal columns that a text occupies. */
function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Shortens a text that is wider. */
function truncate(text: string, width: number): string {
  if (ASCII.test(text)) return text.length <= width ? text : text.slice(0, width - 1) + ELLIPSIS;
  let used = 0;
  // The end of the text if it has to be shortened.
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) return text.slice(0, end) + ELLIPSIS;
    if (used < width) end = index + segment.length;
  }
  return text;
}

/** Wraps a text into lines, if possible after a space or a comma. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    const wide = graphemeWidth(segment);
    if (used + wide > width && line !== '') {
      const at = Math.max(line.lastIndexOf(' '), line.lastIndexOf(',')) + 1;
      const end = at > line.length / 2 ? at : line.length;
      lines.push(line.slice(0, end).trimEnd());
      line = line.slice(end);
      used = displayWidth(line);
    }
    line += segment;
    used += wide;
  }
  return [...lines, line];
}

function graphemeWidth(grapheme: string): number {
  if (ASCII.test(grapheme)) return grapheme.length;
  let width = graphemeWidths.get(grapheme);
  if (width === undefined) graphemeWidths.set(grapheme, (width = measureGrapheme(grapheme)));
  return width;
}

/**
 * Node's readline knows the width of characters, including East Asian ones and emoji: it is the cursor position after a
 * prompt. A grapheme of several characters is at most as wide as a wide character.
 */
function measureGrapheme(grapheme: string): number {
  readline ??= createInterface({ input: new PassThrough() });
  readline.setPrompt(grapheme);
  return Math.min(2, readline.getCursorPos().cols);
}
