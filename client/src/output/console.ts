import { createColors } from 'picocolors';

/** Whether the command goes on where nobody reads what it prints. */
let goesOn = false;
let isUnheard = false;

/** From now on something is being done: that nobody reads on is no reason to leave it half-way. */
export function goOnUnheard(): void {
  goesOn = true;
}

/** Nobody reads standard output any more. @returns whether the command goes on, without printing */
export function leaveUnheard(): boolean {
  isUnheard = true;
  return goesOn;
}

/** Writes to standard output, and waits until it is written: what is said behind it comes behind it. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (isUnheard) return;
  // What goes wrong is an event of the stream as well, and heard there.
  await new Promise<void>((written) => {
    process.stdout.write(text, () => {
      written();
    });
  });
}

/** The same for lines that are not this program's: on a terminal there is nothing to obey in them, else they are exact. */
export const printLines = (text: string): Promise<void> =>
  print(process.stdout.isTTY ? visibleLines(text.replaceAll('\r\n', '\n')) : text);

/** Tells the person at the terminal, on standard error. Names, and a server's words, are no orders for the terminal. */
export function say(...lines: readonly string[]): void {
  write(lines.map((line) => visible(line)));
}

/** Tells what has gone wrong. @param mark it begins with this, which may have colours */
export function sayFault(mark: string, message: string, lines: readonly string[] = []): void {
  write([`${mark} ${visibleLines(message)}`, ...lines.map((line) => visibleLines(line))]);
}

let clear: (() => void) | undefined;

/** Something is drawn on standard error that has to go before anything is said; undefined: no longer. */
export function drawn(remove: (() => void) | undefined): void {
  clear = remove;
}

function write(lines: readonly string[]): void {
  clear?.();
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
}

/** How wide a table may be: as the terminal is; what is piped is not cut. */
export const tableWidth = (): number | undefined =>
  process.stdout.isTTY ? Math.max(20, process.stdout.columns) : undefined;

/** In characters: as much is written together. */
const TOGETHER = 16 * 1024;

/** Standard output for what comes in many small pieces. */
export class Printer {
  private pieces: string[] = [];
  private length = 0;

  /** Takes a piece; writes when there are enough of them. */
  async add(piece: string): Promise<void> {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length >= TOGETHER) await this.flush();
  }

  /** Writes what there is. */
  async flush(): Promise<void> {
    if (this.length === 0) return;
    const text = this.pieces.join('');
    [this.pieces, this.length] = [[], 0];
    await print(text);
  }
}

/** What a terminal obeys instead of showing it: control characters, and those that turn the direction of text. */
const OBEYED = /[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** The same but for line ends. */
const OBEYED_IN_LINES = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** What JSON leaves as it is although terminals obey it. */
const LEFT_BY_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether a text has what JSON leaves as it is although terminals obey it. */
export const hasLeftByJson = (text: string): boolean => text.search(LEFT_BY_JSON) >= 0;

/** A text in one line, in which a terminal finds nothing to obey: a note must not move the cursor, or rename a window. */
export const visible = (text: string): string =>
  text.replace(OBEYED, (character) => SHORT[character] ?? code(character));

/** The same, and its lines stay lines. */
export const visibleLines = (text: string): string =>
  text.replace(OBEYED_IN_LINES, (character) => SHORT[character] ?? code(character));

/** JSON in which everything is escaped that a terminal obeys: such stands within quotes alone. */
export const escaped = (document: string): string => document.replace(LEFT_BY_JSON, code);

/** What a text is coloured with; leaves it as it is where there are no colours. */
export type Colours = ReturnType<typeof createColors>;

/** The colours of a stream: on a terminal that has them, unless the person or the environment says otherwise. */
export const coloursOf = (stream: { readonly isTTY?: boolean }): Colours => createColors(isColourful(stream));

/** `--no-color` goes first, then `NO_COLOR` (no-color.org), then `FORCE_COLOR`; an empty variable says nothing. */
function isColourful({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  // Errors are coloured also where the command line could not be read.
  if (process.argv.includes('--no-color') || NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY && TERM !== 'dumb';
}

/** `1 device`, `2 devices`. */
export const counted = (count: number, word: string): string =>
  `${String(count)} ${word}${count === 1 ? '' : 's'}`;
