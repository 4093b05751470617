import type { DetailCode } from '../../core/error-details';
import { detailCodeOf, type ErrorCode, InventoryError } from '../../core/errors';
import type { TypesOfKey } from '../../database/variable-values';
import type { CsvColumns } from '../csv/csv-reader';
import type { CsvRowWarnings, TypeChange } from './csv-warnings';
import { type UnusualType, NewValues } from './new-values';
import { MAX_REPORTED_SIMILAR_KEYS, type SimilarKey } from './similar-keys';
import { TemporarySpaceError } from './temporary-space';

/** A region or cell that a line names and that does not exist, as the line of an import that creates it. */
export type MissingLocation =
  | { readonly kind: 'region'; readonly name: string }
  | { readonly kind: 'cell'; readonly region: string; readonly name: string };

/** The error of a line that was not imported. */
export interface LineError {
  readonly line: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The regions and cells that the line names and that do not exist: those of each `MissingLocationError` among its faults. */
  readonly missing?: readonly MissingLocation[];
  /** The variables that must be texts by their definitions, but are not in this line. Only in `errors` of a summary. */
  readonly expected_texts?: readonly string[];
}

/** A line error with the code of its detail in the error of the whole import. */
interface RejectedLine extends LineError {
  readonly reason: DetailCode;
}

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
  /** How many values of variables changed between texts and numbers or booleans. */
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

/** A line references a resource of a faulty line. The line itself may be correct. */
export class FaultyReferenceError extends InventoryError {
  /** @param what the resource: `region "north"` */
  constructor(member: string, what: string, line: number) {
    const message = `the ${what} of line ${String(line)} was not imported either`;
    super('validation_exception', `${member}: ${message}`, [{ field: member, code: 'not_found', message }]);
  }
}

/**
 * A line names a region, or a cell with its region, that does not exist and that no other line may describe. The caller can create
 * it, and import the line then.
 */
export class MissingLocationError extends InventoryError {
  /** @param message of the member, without its name */
  constructor(
    member: string,
    message: string,
    readonly missing: readonly MissingLocation[],
  ) {
    super('validation_exception', `${member}: ${message}`, [{ field: member, code: 'not_found', message }]);
  }
}

/** Several faults of a line. It has the code of the first one. */
class LineFaultsError extends InventoryError {
  readonly missing: readonly MissingLocation[];

  constructor(faults: readonly [InventoryError, ...InventoryError[]]) {
    const message = faults.map((fault) => fault.message).join('; ');
    super(
      faults[0].code,
      message,
      faults.flatMap(({ details }) => details),
    );
    this.missing = faults.flatMap(missingOf);
  }
}

/** The regions and cells that do not exist, because of which a line fails. */
const missingOf = (error: InventoryError): readonly MissingLocation[] =>
  error instanceof MissingLocationError || error instanceof LineFaultsError ? error.missing : [];

/**
 * One error for all faults of a line; undefined if it has none. That it references a faulty line counts only if nothing else is wrong:
 * the line itself may be correct.
 */
export function combineFaults(faults: readonly InventoryError[]): InventoryError | undefined {
  const [first, ...others] = faults.filter((fault) => !(fault instanceof FaultyReferenceError));
  if (!first) return faults[0];
  return others.length === 0 ? first : new LineFaultsError([first, ...others]);
}

/** Whether an error is the fault of one line. Others concern the import as a whole. */
export const isLineFault = (error: unknown): error is InventoryError =>
  error instanceof InventoryError && error.status < 500 && !(error instanceof TemporarySpaceError);

/** The result of an imported line. */
export type LineResult = 'created' | 'updated' | 'unchanged';

/** The maximum number of errors in a summary. The NDJSON response contains the error of every line. */
export const MAX_REPORTED_ERRORS = 1_000;

/** The maximum number of invalid lines of an import that imports the others. */
export const MAX_INVALID_LINES = 100_000;

/** In characters. Longer messages of lines are cut. */
const MAX_MESSAGE_LENGTH = 2_000;

/** In characters: how much text of errors is kept. Later errors keep their code only. */
const MAX_ERROR_TEXT = 16 * 1024 * 1024;
const OMITTED_MESSAGE = 'The message is omitted, because too many lines failed.';

/** The maximum number of type changes in a summary. */
export const MAX_REPORTED_TYPE_CHANGES = 100;
/** The maximum number of unusual types in a summary. */
export const MAX_REPORTED_UNUSUAL_TYPES = 100;

const RESULTS = ['created', 'updated', 'unchanged', 'failed'] as const;
const CODES = { none: 0, created: 1, updated: 2, unchanged: 3, failed: 4, invalid: 5 } as const;

/** The results of all lines. A million lines take 9 MB of memory, and errors up to `MAX_ERROR_TEXT`. */
export class ImportReport {
  private codes = new Uint8Array(1024);
  /** The ids of resources. For failed lines, the index of the error in `errorTexts`. */
  private ids = new Float64Array(1024);
  private readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  private maxLine = 0;
  /** The number of lines that are invalid, regardless of the inventory. */
  private invalidCount = 0;
  private errors: RecordedError[] = [];
  private ignoredEmptyCells = 0;
  private typeChangeCount = 0;
  private typeChanges: LineTypeChange[] = [];
  /** The columns of a CSV file, if the lines are its rows. */
  columns: CsvColumns | undefined;
  /** The variables that a CSV file sets where they were not set. */
  readonly newValues = new NewValues();
  /** The types of the values that resources of the project have in the variables of a CSV file. */
  typesInProject: ReadonlyMap<string, TypesOfKey> = new Map();
  /** The columns of a CSV file with new variables whose keys are easily mistaken for others. */
  similarKeys: readonly SimilarKey[] = [];
  /** The number of lines that reference faulty lines. They count as failed, too. */
  private consequenceCount = 0;
  /** The errors of these lines. They must not displace the errors of the faulty lines. */
  private consequences: RecordedError[] = [];
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
    this.errors = this.errors.map((one) => (one.line === line ? recordedError(line, error, true) : one));
    const index = this.ids[line] ?? 0;
    // It may be longer than the one that it replaces, but at most by `MAX_MESSAGE_LENGTH`.
    if (![...this.omitted.values()].includes(index)) this.errorTexts[index] = errorText(error);
  }

  /** Discards the results of the previous attempt to write. Invalid lines stay recorded. */
  reset(): void {
    Object.assign(this.counts, { created: 0, updated: 0, unchanged: 0, failed: this.invalidCount });
    for (let line = 0; line < this.codes.length; line++)
      if (this.codes[line] !== CODES.invalid) this.codes[line] = CODES.none;
    this.errors = this.errors.filter(({ isInvalid }) => isInvalid);
    this.consequenceCount = 0;
    this.consequences = [];
    this.ignoredEmptyCells = 0;
    this.typeChangeCount = 0;
    this.typeChanges = [];
    this.newValues.clear();
  }

  get summary(): ImportSummary {
    const errors = [...this.errors, ...this.consequences].slice(0, MAX_REPORTED_ERRORS);
    return { ...this.counts, errors: sortedByLine(errors).map(withoutReason), ...this.warnings };
  }

  private get warnings(): TableWarnings {
    if (!this.columns) return {};
    return {
      ignored_empty_cells: this.ignoredEmptyCells,
      type_changes_total: this.typeChangeCount,
      type_changes: this.typeChanges.toSorted((a, b) => a.line - b.line),
      unusual_types: this.newValues
        .unusualTypes(this.columns.keys, this.typesInProject)
        .slice(0, MAX_REPORTED_UNUSUAL_TYPES),
      similar_keys: this.similarKeys.slice(0, MAX_REPORTED_SIMILAR_KEYS),
    };
  }

  /** The faulty lines, without those that only reference a faulty line. */
  get rejection(): ImportRejection {
    return {
      failed: this.counts.failed - this.consequenceCount,
      unchecked: this.consequenceCount,
      errors: sortedByLine(this.errors),
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
    const result = RESULTS[Math.min(code, CODES.failed) - 1];
    const id = this.ids[line] ?? 0;
    if (result === undefined || result === 'failed')
      return { result: 'failed', error: this.errorTexts[id] ?? '{}' };
    return { result, id };
  }

  private recordError(line: number, error: InventoryError, isInvalid: boolean): void {
    this.set(line, isInvalid ? CODES.invalid : CODES.failed, this.storeError(error));
    this.counts.failed++;
    if (isInvalid) this.invalidCount++;
    const isConsequence = error instanceof FaultyReferenceError;
    if (isConsequence) this.consequenceCount++;
    const errors = isConsequence ? this.consequences : this.errors;
    if (errors.length < MAX_REPORTED_ERRORS) errors.push(recordedError(line, error, isInvalid));
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

interface RecordedError extends RejectedLine {
  readonly isInvalid: boolean;
}

function recordedError(line: number, error: InventoryError, isInvalid: boolean): RecordedError {
  const missing = missingOf(error);
  return {
    line,
    code: error.code,
    reason: detailCodeOf(error),
    message: shownMessage(error),
    isInvalid,
    ...(missing.length > 0 ? { missing } : {}),
    ...expectedTexts(error),
  };
}

/** An error as a part of the result of its line. */
const errorText = (error: InventoryError): string =>
  JSON.stringify({ code: error.code, message: shownMessage(error) });

const shownMessage = ({ message }: InventoryError): string => message.slice(0, MAX_MESSAGE_LENGTH);

/** An error with what the report shows of it: one with many details can be long. */
export const shownError = (error: InventoryError): InventoryError =>
  new InventoryError(error.code, shownMessage(error), error.details.slice(0, 1));

const sortedByLine = (errors: readonly RecordedError[]): RejectedLine[] =>
  errors.map((error) => ({ ...withoutReason(error), reason: error.reason })).sort((a, b) => a.line - b.line);

const withoutReason = ({ line, code, message, missing, expected_texts }: RejectedLine): LineError => ({
  line,
  code,
  message,
  ...(missing ? { missing } : {}),
  ...(expected_texts ? { expected_texts } : {}),
});

/** A table can say that a column has texts, so the error names the variables. */
function expectedTexts({ details }: InventoryError): Pick<LineError, 'expected_texts'> {
  const keys = details.flatMap(({ field, expected_types = [] }) => {
    const [, key] = VARIABLE_FIELD.exec(field) ?? [];
    return key !== undefined && expected_types.includes('string') ? [key] : [];
  });
  return keys.length === 0 ? {} : { expected_texts: keys };
}

/** The `field` of an error about a whole variable. No key contains a slash, with which the path of a part begins. */
const VARIABLE_FIELD = /^variables\.([^/]+)$/;

const uncheckedText = (count: number): string =>
  count === 0
    ? ''
    : `. ${String(count)} other ${count === 1 ? 'line was' : 'lines were'} not checked because of this; more errors may follow when this is corrected.`;

const stoppedText = (failed: number): string =>
  ` The import stopped at ${String(failed)} faulty lines, and did not check what follows them.`;

/** Nothing was imported, because some lines failed. */
export class ImportRejectedError extends InventoryError {
  constructor(private readonly rejection: ImportRejection) {
    const { errors, failed, unchecked, isStopped } = rejection;
    const [first] = errors;
    if (!first) throw new Error('an import was rejected without an error');
    const others = failed > 1 ? ` (and ${String(failed - 1)} more)` : '';
    super(
      first.code,
      `line ${String(first.line)}: ${first.message}${others}${uncheckedText(unchecked)}${isStopped ? stoppedText(failed) : ''}`,
      errors.map(({ line, reason, message }) => ({ field: `line ${String(line)}`, code: reason, message })),
    );
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    const { failed, unchecked, errors, warnings } = this.rejection;
    const counts = { created: 0, updated: 0, unchanged: 0, failed, unchecked };
    return { ...counts, errors: errors.map(withoutReason), ...warnings };
  }
}

/** Nothing was imported, because the body could not be read to its end. */
export class BodyRejectedError extends InventoryError {
  /** @param summary the results of the lines that were read */
  constructor(
    private readonly reason: InventoryError,
    private readonly summary: ImportSummary,
  ) {
    const { code, message, details, headers } = reason;
    super(code, message, details, headers);
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    return { ...this.summary, ...this.reason.extraMembers };
  }
}
