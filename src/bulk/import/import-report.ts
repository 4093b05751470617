import type { ErrorCode, InventoryError } from '../../core/errors';
import type { TypesOfKey } from '../../database/variable-values';
import type { CsvColumns } from '../csv/csv-reader';
import type { CsvRowWarnings, TypeChange } from './csv-warnings';
import { errorText, type LineError, type RejectedLine } from './line-errors';
import { rejectedLine, shownMessage, withoutReason } from './line-errors';
import { FailedReferenceError } from './line-faults';
import { type UnusualType, NewValues } from './new-values';
import type { SimilarKey } from './similar-keys';

/** The number of lines by result. */
export interface ImportSummary extends TableWarnings {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Sorted by line. At most `MAX_REPORTED_ERRORS`, even if more lines failed. */
  readonly errors: readonly LineError[];
}

/** The likely mistakes in a CSV file. All are absent for other bodies. */
interface TableWarnings {
  /** How many empty cells are in the columns of values that devices have. They changed nothing. */
  readonly ignored_empty_cells?: number;
  /** How many values of variables changed between texts and numbers or booleans, or were lists or objects. */
  readonly type_changes_total?: number;
  /** The first of these, sorted by line. At most `MAX_REPORTED_TYPE_CHANGES`. */
  readonly type_changes?: readonly LineTypeChange[];
  /** The columns with values of another type than elsewhere. At most `MAX_REPORTED_UNUSUAL_TYPES`. */
  readonly unusual_types?: readonly UnusualType[];
  /** The columns of new variables whose keys are easily mistaken for others. At most `MAX_REPORTED_SIMILAR_KEYS`. */
  readonly similar_keys?: readonly SimilarKey[];
}

/** A type change that a row of a CSV file makes. */
interface LineTypeChange extends TypeChange {
  readonly line: number;
  /** The name of the device. */
  readonly name: string;
}

/** The faults of an import that was rejected because of some of its lines. */
export interface ImportRejection {
  /** The number of faulty lines. */
  readonly failed: number;
  /** The number of other lines that were not checked completely, because of the faulty ones. */
  readonly unchecked: number;
  /** Sorted by line. At most `MAX_REPORTED_ERRORS`. */
  readonly errors: readonly RejectedLine[];
  /** Whether the import stopped because of the number of faulty lines: later lines were not checked. */
  readonly isStopped: boolean;
  /** Of the lines that were checked. */
  readonly warnings: TableWarnings;
}

/** The result of an imported line. */
export type LineResult = 'created' | 'updated' | 'unchanged';

/** The maximum number of errors in a summary. The NDJSON response contains the error of every line. */
export const MAX_REPORTED_ERRORS = 1_000;

/** In characters: how much text of errors is kept. Later errors keep their code only. */
const MAX_ERROR_TEXT = 16 * 1024 * 1024;
const OMITTED_MESSAGE = 'The message is omitted, because too many lines failed.';

/** The maximum number of type changes in a summary. */
export const MAX_REPORTED_TYPE_CHANGES = 100;
/** The maximum number of unusual types in a summary. */
export const MAX_REPORTED_UNUSUAL_TYPES = 100;

const RESULTS = ['created', 'updated', 'unchanged'] as const;
const CODES = { none: 0, created: 1, updated: 2, unchanged: 3, failed: 4, invalid: 5 } as const;

const byLine = (a: { readonly line: number }, b: { readonly line: number }): number => a.line - b.line;

/** The results of all lines. A million lines take 9 MB of memory, and errors up to `MAX_ERROR_TEXT`. */
export class ImportReport {
  private codes = new Uint8Array(1024);
  /** The ids of resources. For failed lines, the index of the error in `errorTexts`. */
  private ids = new Float64Array(1024);
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private maxLine = 0;
  /** The number of lines that are invalid, regardless of the inventory. */
  private invalidCount = 0;
  private errors: RejectedLine[] = [];
  private ignoredEmptyCells = 0;
  private typeChangeCount = 0;
  private typeChanges: LineTypeChange[] = [];
  /** The columns of a CSV file, if the lines are its rows. */
  columns: CsvColumns | undefined;
  /** The variables that a CSV file sets where they were not set. */
  readonly newValues = new NewValues();
  /** The types of the values that resources of the project have in the variables of a CSV file. */
  typesInProject: ReadonlyMap<string, TypesOfKey> = new Map();
  /** The columns of a CSV file with new variables whose keys are easily mistaken for others. At most `MAX_REPORTED_SIMILAR_KEYS`. */
  similarKeys: readonly SimilarKey[] = [];
  /** The number of lines that reference faulty lines. They count as failed, too. */
  private consequenceCount = 0;
  /** The errors of these lines. They must not displace the errors of the faulty lines. */
  private consequences: RejectedLine[] = [];
  /** Errors as JSON text. */
  private readonly errorTexts: string[] = [];
  private errorLength = 0;
  /** By code, the index of an error without its message. */
  private readonly omitted = new Map<ErrorCode, number>();

  get failed(): number {
    return this.counts.failed;
  }

  /** Whether as many lines are faulty as can be reported, without those that only reference a faulty line. */
  get hasMaxErrors(): boolean {
    return this.counts.failed - this.consequenceCount >= MAX_REPORTED_ERRORS;
  }

  /** The last line that has a result. */
  get lastLine(): number {
    return this.maxLine;
  }

  /** The number of valid lines that were written, or failed for a reason of their own. */
  get checked(): number {
    const { created, updated, unchanged, failed } = this.counts;
    return created + updated + unchanged + failed - this.invalidCount - this.consequenceCount;
  }

  /** Whether a line failed. */
  isFaulty(line: number): boolean {
    const code = this.codes[line];
    return code === CODES.failed || code === CODES.invalid;
  }

  /** Whether the resource of a line did not exist before. */
  isCreated(line: number): boolean {
    return this.codes[line] === CODES.created;
  }

  recordSuccess(line: number, result: LineResult, id: number): void {
    this.set(line, CODES[result], id);
    this.counts[result]++;
  }

  /** Adds the warnings of a row of a CSV file. */
  addCsvWarnings(line: number, name: string, { ignoredEmptyCells, typeChanges }: CsvRowWarnings): void {
    this.ignoredEmptyCells += ignoredEmptyCells;
    this.typeChangeCount += typeChanges.length;
    for (const { key, before, after } of typeChanges)
      if (this.typeChanges.length < MAX_REPORTED_TYPE_CHANGES)
        this.typeChanges.push({ line, name, key, before, after });
  }

  /** Records a line that conflicts with the inventory. */
  recordFailure(line: number, error: InventoryError): void {
    this.recordError(line, error, false);
  }

  /** Records a line that is invalid, regardless of the inventory. */
  recordInvalid(line: number, error: InventoryError): void {
    this.recordError(line, error, true);
  }

  /** Replaces the error of an invalid line by one that says more. */
  replaceInvalid(line: number, error: InventoryError): void {
    this.errors = this.errors.map((one) => (one.line === line ? rejectedLine(line, error) : one));
    const index = this.ids[line] ?? 0;
    // It may be longer than the one that it replaces, but at most by `MAX_MESSAGE_LENGTH`.
    if (![...this.omitted.values()].includes(index)) this.errorTexts[index] = errorText(error);
  }

  /** Discards the results of the previous attempt to write. Invalid lines stay recorded. */
  reset(): void {
    Object.assign(this.counts, { created: 0, updated: 0, unchanged: 0, failed: this.invalidCount });
    for (let line = 0; line < this.codes.length; line++)
      if (this.codes[line] !== CODES.invalid) this.codes[line] = CODES.none;
    this.errors = this.errors.filter(({ line }) => this.codes[line] === CODES.invalid);
    this.consequenceCount = 0;
    this.consequences = [];
    this.ignoredEmptyCells = 0;
    this.typeChangeCount = 0;
    this.typeChanges = [];
    this.newValues.clear();
  }

  get summary(): ImportSummary {
    const errors = [...this.errors, ...this.consequences].slice(0, MAX_REPORTED_ERRORS);
    return { ...this.counts, errors: errors.sort(byLine).map(withoutReason), ...this.warnings };
  }

  private get warnings(): TableWarnings {
    if (!this.columns) return {};
    return {
      ignored_empty_cells: this.ignoredEmptyCells,
      type_changes_total: this.typeChangeCount,
      type_changes: this.typeChanges.toSorted(byLine),
      unusual_types: this.newValues
        .unusualTypes(this.columns.keys, this.typesInProject)
        .slice(0, MAX_REPORTED_UNUSUAL_TYPES),
      similar_keys: this.similarKeys,
    };
  }

  /** The faulty lines, without those that only reference a faulty line. */
  get rejection(): ImportRejection {
    return {
      failed: this.counts.failed - this.consequenceCount,
      unchecked: this.consequenceCount,
      errors: this.errors.toSorted(byLine),
      isStopped: false,
      warnings: this.warnings,
    };
  }

  /** The result of a line, with the id of its resource or its error as JSON. */
  resultOf(
    line: number,
  ): { result: LineResult; id: number } | { result: 'failed'; error: string } | undefined {
    const code = this.codes[line] ?? CODES.none;
    if (code === CODES.none) return undefined;
    const result = RESULTS[code - CODES.created];
    const id = this.ids[line] ?? 0;
    return result ? { result, id } : { result: 'failed', error: this.errorTexts[id] ?? '{}' };
  }

  private recordError(line: number, error: InventoryError, isInvalid: boolean): void {
    this.set(line, isInvalid ? CODES.invalid : CODES.failed, this.storeError(error));
    this.counts.failed++;
    if (isInvalid) this.invalidCount++;
    const isConsequence = error instanceof FailedReferenceError;
    if (isConsequence) this.consequenceCount++;
    const errors = isConsequence ? this.consequences : this.errors;
    if (errors.length < MAX_REPORTED_ERRORS) errors.push(rejectedLine(line, error));
  }

  /** @returns the index of the error */
  private storeError(error: InventoryError): number {
    const { code } = error;
    if (this.errorLength < MAX_ERROR_TEXT) {
      this.errorLength += shownMessage(error).length;
      return this.errorTexts.push(errorText(error)) - 1;
    }
    const index =
      this.omitted.get(code) ?? this.errorTexts.push(JSON.stringify({ code, message: OMITTED_MESSAGE })) - 1;
    this.omitted.set(code, index);
    return index;
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
