import { type ErrorCode, InventoryError } from '../../core/errors/inventory-error';
import type { LineFile } from './line-file';

/** The error of a line that was not imported. */
export interface LineError {
  readonly line: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The number of lines by result. */
export interface ImportSummary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Sorted by line. At most `MAX_REPORTED_ERRORS`, even if more lines failed. */
  readonly errors: readonly LineError[];
}

/** The result of an imported line. */
export type LineResult = 'created' | 'updated' | 'unchanged';

/** The maximum number of errors in a summary. The NDJSON response contains the error of every line. */
export const MAX_REPORTED_ERRORS = 1_000;

const RESULTS = ['created', 'updated', 'unchanged', 'failed'] as const;
const CODES = { none: 0, created: 1, updated: 2, unchanged: 3, failed: 4, invalid: 5 } as const;

/** The results of all lines. A million lines take 9 MB of memory. */
export class ImportReport {
  private codes = new Uint8Array(1024);
  /** The ids of resources. For failed lines, the position of the error in the error file. */
  private ids = new Float64Array(1024);
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private maxLine = 0;
  private errors: (LineError & { readonly isInvalid: boolean })[] = [];

  /** @param errorFile stores the errors of all lines */
  constructor(private readonly errorFile: LineFile) {}

  get failed(): number {
    return this.counts.failed;
  }

  /** The last line that has a result. */
  get lastLine(): number {
    return this.maxLine;
  }

  /** Makes the errors of all lines readable. */
  async flush(): Promise<void> {
    await this.errorFile.flush();
  }

  recordSuccess(line: number, result: LineResult, id: number): void {
    this.set(line, CODES[result], id);
    this.counts[result]++;
  }

  /** Records a line that conflicts with the inventory. */
  async recordFailure(line: number, error: InventoryError): Promise<void> {
    await this.recordError(line, error, false);
  }

  /** Records a line that is invalid, regardless of the inventory. */
  async recordInvalid(line: number, error: InventoryError): Promise<void> {
    await this.recordError(line, error, true);
  }

  /** Discards the results of the previous attempt to write. Invalid lines stay recorded. */
  reset(): void {
    Object.assign(this.counts, { created: 0, updated: 0, unchanged: 0, failed: 0 });
    for (let line = 0; line < this.codes.length; line++)
      if (this.codes[line] === CODES.invalid) this.counts.failed++;
      else this.codes[line] = CODES.none;
    this.errors = this.errors.filter(({ isInvalid }) => isInvalid);
  }

  get summary(): ImportSummary {
    const errors = this.errors
      .map(({ line, code, message }) => ({ line, code, message }))
      .sort((a, b) => a.line - b.line);
    return { ...this.counts, errors };
  }

  /** The result of a line, with the id of its resource or its error as JSON. */
  async resultOf(
    line: number,
  ): Promise<{ result: LineResult; id: number } | { result: 'failed'; error: string } | undefined> {
    const code = this.codes[line] ?? CODES.none;
    if (code === CODES.none) return undefined;
    const result = RESULTS[Math.min(code, CODES.failed) - 1];
    const id = this.ids[line] ?? 0;
    if (result === undefined || result === 'failed')
      return { result: 'failed', error: (await this.errorFile.entryAt(id)).text };
    return { result, id };
  }

  private async recordError(
    line: number,
    { code, message }: InventoryError,
    isInvalid: boolean,
  ): Promise<void> {
    const position = await this.errorFile.add(line, JSON.stringify({ code, message }));
    this.set(line, isInvalid ? CODES.invalid : CODES.failed, position);
    this.counts.failed++;
    if (this.errors.length < MAX_REPORTED_ERRORS) this.errors.push({ line, code, message, isInvalid });
  }

  private set(line: number, code: number, id: number): void {
    if (line >= this.codes.length) this.grow(line);
    this.codes[line] = code;
    this.ids[line] = id;
    this.maxLine = Math.max(this.maxLine, line);
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

/** Nothing was imported, because some lines failed. */
export class ImportRejectedError extends InventoryError {
  constructor(private readonly summary: ImportSummary) {
    const { errors, failed } = summary;
    const [first] = errors;
    if (!first) throw new Error('an import was rejected without an error');
    const others = failed > 1 ? ` (and ${String(failed - 1)} more)` : '';
    super(
      first.code,
      `line ${String(first.line)}: ${first.message}${others}`,
      errors.map(({ line, message }) => ({ field: `line ${String(line)}`, message })),
    );
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    const { failed, errors } = this.summary;
    return { created: 0, updated: 0, unchanged: 0, failed, errors };
  }
}

/** Nothing was imported, because the body could not be read to its end. */
export class BodyRejectedError extends InventoryError {
  /** @param summary the results of the lines that were read */
  constructor(
    { code, message, details, headers }: InventoryError,
    private readonly summary: ImportSummary,
  ) {
    super(code, message, details, headers);
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    return { ...this.summary };
  }
}
