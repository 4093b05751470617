import { visible, visibleLines } from './visible';

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
