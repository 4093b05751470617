import { InventoryError, type ErrorCode } from '../../core/errors/inventory-error';
import type { Spool } from './line-file';

/** What is told of a line that was not imported. */
export interface LineError {
  readonly line: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** How many lines came to what. */
export interface Summary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** In the order of the lines; not more than `MOST_ERRORS`, however many failed. */
  readonly errors: readonly LineError[];
}

/** What a line came to. */
export type Done = 'created' | 'updated' | 'unchanged';

/** So many faults are told with the summary; of each line it can be asked for by itself. */
export const MOST_ERRORS = 1_000;

const RESULTS = ['created', 'updated', 'unchanged', 'failed'] as const;
const CODES = { nothing: 0, created: 1, updated: 2, unchanged: 3, failed: 4, refused: 5 } as const;

/** What every line came to: of a million lines, in 9 MB. */
export class Outcomes {
  private codes = new Uint8Array(1024);
  /** The ids of resources; of lines that failed, where their fault stands in the spool. */
  private ids = new Float64Array(1024);
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private highest = 0;
  private errors: (LineError & { readonly refused: boolean })[] = [];

  /** @param faults takes the faults of all lines */
  constructor(private readonly faults: Spool) {}

  get failed(): number {
    return this.counts.failed;
  }

  /** The last line that came to anything. */
  get last(): number {
    return this.highest;
  }

  /** Has the faults of all lines at hand. */
  async settle(): Promise<void> {
    await this.faults.flush();
  }

  done(line: number, result: Done, id: number): void {
    this.set(line, CODES[result], id);
    this.counts[result]++;
  }

  /** A line that the inventory refuses. */
  async fail(line: number, error: InventoryError): Promise<void> {
    await this.note(line, error, false);
  }

  /** A line that is refused whatever the inventory is like. */
  async refuse(line: number, error: InventoryError): Promise<void> {
    await this.note(line, error, true);
  }

  /** Forgets all that was written, because it is written anew. What was refused stays. */
  restart(): void {
    Object.assign(this.counts, { created: 0, updated: 0, unchanged: 0, failed: 0 });
    for (let line = 0; line < this.codes.length; line++)
      if (this.codes[line] === CODES.refused) this.counts.failed++;
      else this.codes[line] = CODES.nothing;
    this.errors = this.errors.filter(({ refused }) => refused);
  }

  get summary(): Summary {
    const errors = this.errors
      .map(({ line, code, message }) => ({ line, code, message }))
      .sort((a, b) => a.line - b.line);
    return { ...this.counts, errors };
  }

  /** What a line came to, with the id of its resource or its fault. */
  async of(
    line: number,
  ): Promise<{ result: Done; id: number } | { result: 'failed'; fault: string } | undefined> {
    const code = this.codes[line] ?? CODES.nothing;
    if (code === CODES.nothing) return undefined;
    const result = RESULTS[Math.min(code, CODES.failed) - 1];
    const id = this.ids[line] ?? 0;
    if (result === undefined || result === 'failed')
      return { result: 'failed', fault: (await this.faults.entryAt(id)).text };
    return { result, id };
  }

  private async note(line: number, { code, message }: InventoryError, refused: boolean): Promise<void> {
    const place = await this.faults.add(line, JSON.stringify({ code, message }));
    this.set(line, refused ? CODES.refused : CODES.failed, place);
    this.counts.failed++;
    if (this.errors.length < MOST_ERRORS) this.errors.push({ line, code, message, refused });
  }

  private set(line: number, code: number, id: number): void {
    if (line >= this.codes.length) this.grow(line);
    this.codes[line] = code;
    this.ids[line] = id;
    this.highest = Math.max(this.highest, line);
  }

  private grow(line: number): void {
    const length = Math.max(line + 1, 2 * this.codes.length);
    const [codes, ids] = [new Uint8Array(length), new Float64Array(length)];
    codes.set(this.codes);
    ids.set(this.ids);
    this.codes = codes;
    this.ids = ids;
  }
}
