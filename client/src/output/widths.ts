import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';

const ASCII = /^[\x20-\x7e]*$/;
const MORE = '…';

const graphemes = new Intl.Segmenter();
const known = new Map<string, number>();
let reader: Interface | undefined;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** A text, cut where it would be wider. */
export function cut(text: string, width: number): string {
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
export function wrapped(text: string, width: number): string[] {
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
