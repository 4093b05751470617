import { createColors } from 'picocolors';

/** Whether the command finishes its work after standard output is closed. */
let finishes = false;
let isOutputClosed = false;

/** From now on the command finishes its work even if standard output is closed: it has begun to write to the service. */
export function finishOnBrokenPipe(): void {
  finishes = true;
}

/** Stops printing, because standard output is closed. @returns whether the command finishes its work nevertheless */
export function closeOutput(): boolean {
  isOutputClosed = true;
  return finishes;
}

/** Prints to standard output and waits until it is written, so that later output to standard error comes later. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (isOutputClosed) return;
  // Errors are handled by the 'error' listener of the stream.
  await new Promise<void>((resolve) => {
    process.stdout.write(text, () => {
      resolve();
    });
  });
}

/** Prints foreign text: on a terminal with escaped control characters, otherwise unchanged. */
export const printLines = (text: string): Promise<void> =>
  print(process.stdout.isTTY ? escapeControlInLines(text.replaceAll('\r\n', '\n')) : text);

/** Prints lines to standard error. Control characters in names and in messages of the server are escaped. */
export function printStatus(...lines: readonly string[]): void {
  write(lines.map((line) => escapeControl(line)));
}

/** Prints an error message and further lines to standard error. @param prefix may contain colours */
export function printError(prefix: string, message: string, lines: readonly string[]): void {
  write([`${prefix} ${escapeControlInLines(message)}`, ...lines.map((line) => escapeControlInLines(line))]);
}

let clearDrawing: (() => void) | undefined;

/** Sets what removes a progress bar from standard error before the next message is printed. */
export function setDrawing(clear: (() => void) | undefined): void {
  clearDrawing = clear;
}

function write(lines: readonly string[]): void {
  clearDrawing?.();
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
}

/** The width of the terminal; undefined in a pipe, where nothing is truncated. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? Math.max(20, process.stdout.columns) : undefined;

/** In characters. */
const BUFFER_LENGTH = 16 * 1024;

/** Collects small pieces and prints them together. */
export class BufferedPrinter {
  private pieces: string[] = [];
  private length = 0;

  /** Adds a piece, and prints the buffer when it is full. */
  async add(piece: string): Promise<void> {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length >= BUFFER_LENGTH) await this.flush();
  }

  /** Prints the buffer. */
  async flush(): Promise<void> {
    if (this.length === 0) return;
    const text = this.pieces.join('');
    [this.pieces, this.length] = [[], 0];
    await print(text);
  }
}

/** Characters that control a terminal, or change the direction of text. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** The same without line feeds. */
const CONTROL_CHARACTERS_IN_LINES = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu;
/** Those of them that `JSON.stringify` does not escape. */
const CONTROL_CHARACTERS_IN_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether a text contains control characters that `JSON.stringify` does not escape. */
export const hasControlCharactersInJson = (text: string): boolean =>
  text.search(CONTROL_CHARACTERS_IN_JSON) >= 0;

/** Escapes control characters and line breaks, so that a name cannot move the cursor or change the window title. */
export const escapeControl = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, (character) => SHORT_ESCAPES[character] ?? unicodeEscape(character));

/** Escapes control characters, and keeps line feeds. */
export const escapeControlInLines = (text: string): string =>
  text.replace(
    CONTROL_CHARACTERS_IN_LINES,
    (character) => SHORT_ESCAPES[character] ?? unicodeEscape(character),
  );

/** Escapes control characters in JSON, where they occur in strings only. */
export const escapeControlInJson = (document: string): string =>
  document.replace(CONTROL_CHARACTERS_IN_JSON, unicodeEscape);

/** Functions that colour a text, or return it unchanged if colours are off. */
export type Colours = ReturnType<typeof createColors>;

/** The colours for a stream: on if it is a terminal that supports them, unless the user turns them on or off. */
export const coloursFor = (stream: { readonly isTTY?: boolean }): Colours =>
  createColors(supportsColours(stream));

/** Order of precedence: `--no-color`, `NO_COLOR` (no-color.org), `FORCE_COLOR`. An empty variable counts as not set. */
function supportsColours({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  // Read from argv, because errors in the command line are coloured, too.
  if (process.argv.includes('--no-color') || NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY && TERM !== 'dumb';
}
