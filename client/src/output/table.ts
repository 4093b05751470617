import { type Colours, coloursOf, Printer, say, tableWidth, visible, visibleLines } from './console';
import { exactJson, isLosslessNumber } from '../api/exact-json';
import type { Row } from './formats';
import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';

/** The widths of columns follow from so many rows; what comes later is laid out in the same. */
const MEASURED = 500;
const GAP = '  ';
/** Columns are not cut to less: they would show nothing. */
const LEAST = 5;

/** Prints rows as a table that fits the terminal; in a pipe nothing is cut. */
export async function printTable(rows: AsyncIterable<Row>, names: readonly string[]): Promise<void> {
  const colours = coloursOf(process.stdout);
  const printer = new Printer();
  let waiting: string[][] = [];
  let layout: Layout | undefined;
  let isWhole = false;
  const begin = async (): Promise<Layout> => {
    const made = layoutOf(names, waiting);
    await printer.add(made.line(names.map(headerOf), colours.bold));
    for (const cells of waiting) await printer.add(made.row(cells, colours));
    waiting = [];
    return made;
  };
  try {
    for await (const row of rows) {
      const cells = names.map((name) => visible(cellText(row[name])));
      if (layout) await printer.add(layout.row(cells, colours));
      else if (waiting.push(cells) === MEASURED) layout = await begin();
    }
    isWhole = true;
  } finally {
    // Where the rows break off, those that have come are shown.
    if (isWhole || waiting.length > 0) layout ??= await begin();
    await printer.flush();
  }
  if (layout && layout.leftOut.length > 0)
    say(
      `Left out, for want of room: ${layout.leftOut.join(', ')}. A wider terminal shows more, and "-o json" everything.`,
    );
}

/** Prints one thing, a line for each member; what is long goes on in the next lines. */
export async function printMembers(
  members: readonly (readonly [name: string, value: unknown])[],
): Promise<void> {
  const colours = coloursOf(process.stdout);
  const room = tableWidth();
  const cells = members.map(([name, value]) => [visible(name), visibleLines(cellText(value))] as const);
  const widest = Math.max(...[...cells.map(([name]) => name), 'MEMBER'].map(widthOf));
  const first = room === undefined ? widest : Math.min(widest, Math.floor(room / 2));
  const rest = room === undefined ? undefined : room - first - GAP.length;
  const printer = new Printer();
  await printer.add(`${colours.bold(`${padded('MEMBER', first)}${GAP}VALUE`)}\n`);
  for (const [name, value] of cells) {
    const lines = value.split('\n').flatMap((line) => (rest === undefined ? [line] : wrapped(line, rest)));
    for (const [at, line] of lines.entries()) {
      const head = padded(at === 0 ? cut(name, first) : '', first);
      await printer.add(`${`${head}${GAP}${coloured(line, colours)}`.trimEnd()}\n`);
    }
  }
  await printer.flush();
}

/** A value as a cell of a table shows it. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (isLosslessNumber(value)) return value.toString();
  return exactJson.stringify(value);
}

const headerOf = (name: string): string => visible(name).toUpperCase();

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** What is so or not is seen at a glance. */
function coloured(text: string, colours: Colours): string {
  if (text === 'true') return colours.green(text);
  return text === 'false' ? colours.yellow(text) : text;
}

/** Where the columns of a table stand. */
interface Layout {
  /** Columns that there is no room for. */
  readonly leftOut: readonly string[];
  line(cells: readonly string[], style: (text: string) => string): string;
  row(cells: readonly string[], colours: Colours): string;
}

/** As wide as what they hold; where that is too much for the terminal, the widest are cut first. */
function layoutOf(names: readonly string[], rows: readonly (readonly string[])[]): Layout {
  const widest = names.map((name, column) =>
    rows.reduce((most, cells) => Math.max(most, widthOf(cells[column] ?? '')), widthOf(headerOf(name))),
  );
  const room = tableWidth();
  const widths = room === undefined ? widest : fitting(widest, room);
  const isCut = room !== undefined;
  const shown = (cells: readonly string[], style: (text: string) => string): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        const text = isCut ? cut(cell, width) : cell;
        const space = column === widths.length - 1 ? '' : ' '.repeat(Math.max(0, width - widthOf(text)));
        return style(text) + space;
      })
      .join(GAP)
      .trimEnd();
  return {
    leftOut: names.slice(widths.length),
    line: (cells, style) => `${shown(cells, style)}\n`,
    row: (cells, colours) => `${shown(cells, (text) => coloured(text, colours))}\n`,
  };
}

/** The widths in which as many columns as can be stand in the room, from the left on. */
function fitting(widest: readonly number[], room: number): readonly number[] {
  const least = widest.map((width) => Math.min(width, LEAST));
  const needed = least.reduce((sum, width) => sum + width, GAP.length * (widest.length - 1));
  if (needed > room && widest.length > 1) return fitting(widest.slice(0, -1), room);
  const columns = room - GAP.length * (widest.length - 1);
  const total = (most: number) => widest.reduce((sum, width) => sum + Math.min(width, most), 0);
  let most = Math.max(...widest);
  while (most > 1 && total(most) > columns) most--;
  // What is left over by the cut goes to the columns that were, from the left on.
  let left = columns - total(most);
  return widest.map((width) => {
    if (width <= most || left <= 0) return Math.min(width, most);
    left--;
    return most + 1;
  });
}

const ASCII = /^[\x20-\x7e]*$/;
const MORE = '…';

const graphemes = new Intl.Segmenter();
const known = new Map<string, number>();
let reader: Interface | undefined;

/** How many columns of a terminal a text takes. */
function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** A text, cut where it would be wider. */
function cut(text: string, width: number): string {
  if (ASCII.test(text)) return text.length <= width ? text : text.slice(0, width - 1) + MORE;
  let taken = 0;
  // Where the text ends if it has to be cut.
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    taken += widthOfGrapheme(segment);
    if (taken > width) return text.slice(0, end) + MORE;
    if (taken < width) end = index + segment.length;
  }
  return text;
}

/** A text as lines that are no wider: broken after a space or a comma, where there is one in reach. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, taken] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    const wide = widthOfGrapheme(segment);
    if (taken + wide > width && line !== '') {
      const at = Math.max(line.lastIndexOf(' '), line.lastIndexOf(',')) + 1;
      const end = at > line.length / 2 ? at : line.length;
      lines.push(line.slice(0, end).trimEnd());
      line = line.slice(end);
      taken = widthOf(line);
    }
    line += segment;
    taken += wide;
  }
  return [...lines, line];
}

function widthOfGrapheme(grapheme: string): number {
  if (ASCII.test(grapheme)) return grapheme.length;
  let width = known.get(grapheme);
  if (width === undefined) known.set(grapheme, (width = measured(grapheme)));
  return width;
}

/**
 * Node knows how wide characters are, East Asian ones and emoji, and tells it where it is asked for the cursor behind
 * a prompt. What is joined to one sign takes no more room than a wide one.
 */
function measured(grapheme: string): number {
  reader ??= createInterface({ input: new PassThrough() });
  reader.setPrompt(grapheme);
  return Math.min(2, reader.getCursorPos().cols);
}
