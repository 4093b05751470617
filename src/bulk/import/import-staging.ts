import type { RequestContext } from '../../core/context/request-context';
import { InventoryError, validationError } from '../../core/errors';
import { exponentDigits } from '../../core/json/json-text';
import type { CsvColumns } from '../csv/csv-reader';
import type { BodyLine, ImportOptions } from './import-request';
import { BodyRejectedError } from './import-rejection';
import { ImportReport, MAX_REPORTED_ERRORS } from './import-report';
import { checkLine, deviceIdentity, identifyLine, membersToLookUp, type ParsedLine } from './line-check';
import { shownError } from './line-errors';
import { combineFaults, isLineFault } from './line-faults';
import { type ImportLine, type LineGroup, lineGroups, lineKinds, rankOf } from './line-kinds';
import { stagedLineOfRecord } from './record-line';
import type { Duplicate, LineTable } from './line-table';
import { MAX_REPORTED_SIMILAR_KEYS, type SimilarKeys } from './similar-keys';

/** The maximum number of invalid lines of an import that imports the others. */
const MAX_INVALID_LINES = 100_000;

/** An invalid line of which more can be wrong. */
interface InvalidLine {
  /** Its body has the names to look up, and null for other members that it has: see `membersToLookUp`. */
  readonly line: ImportLine;
  /** As short as the report shows it. */
  readonly error: InventoryError;
  /** Whether an earlier line names the same resource. */
  readonly isDuplicate: boolean;
}

/**
 * Validates the lines of an import and stores them in a table. It does not use much memory, because a body can be large, nor
 * a connection of the pool, because a client can be slow to send it.
 */
export class ImportStaging {
  readonly report = new ImportReport();
  /** The columns of a table; undefined for other bodies and before the first record. */
  columns: CsvColumns | undefined;
  private stagedCount = 0;
  /** The groups of the lines of which it is not known what resource they describe; undefined if that is not known either. */
  private readonly unidentifiedGroups = new Set<LineGroup | undefined>();
  private readonly toLookUp = new Map<number, InvalidLine>();
  private skippedCount = 0;
  /** The duplicates among the lines that are being stored, while the next ones are read and checked. */
  private sending: Promise<readonly Duplicate[]> = Promise.resolve([]);

  constructor(
    private readonly ctx: RequestContext,
    readonly table: LineTable,
    /** Whether the results of lines contain what changed. */
    readonly showsChanges: boolean,
    private readonly similarKeys: SimilarKeys,
  ) {}

  /** The number of valid lines. */
  get staged(): number {
    return this.stagedCount;
  }

  /** The number of lines that were received, but not checked, because the import stopped. */
  get skipped(): number {
    return this.skippedCount;
  }

  /** Whether one of the lines of which it is not known what they describe can describe a resource of a group. */
  hasUnidentifiedLines(group: LineGroup): boolean {
    return this.unidentifiedGroups.has(undefined) || this.unidentifiedGroups.has(group);
  }

  /** The first invalid lines that name their resource: what they reference is not checked yet. */
  get linesToLookUp(): readonly InvalidLine[] {
    return [...this.toLookUp.values()];
  }

  /** Whether an earlier line names the same resource. Only known of `linesToLookUp`. */
  isDuplicate(line: number): boolean {
    return this.toLookUp.get(line)?.isDuplicate === true;
  }

  /**
   * Stages all lines. With `mode: 'all'` it stops when as many lines are invalid as can be reported.
   * @throws BodyRejectedError if the body cannot be read to its end, or has too many invalid lines
   */
  async stage(body: AsyncIterable<readonly BodyLine[]>, mode: ImportOptions['mode']): Promise<void> {
    const isStopped = () => mode === 'all' && this.report.hasMaxErrors;
    try {
      for await (const lines of body) {
        for (const line of lines) {
          if (isStopped()) this.skippedCount++;
          else this.stageLine(line);
        }
        if (this.table.isFull) await this.startSending();
        if (isStopped()) break;
        if (this.report.failed > MAX_INVALID_LINES) throw tooManyInvalidLines();
      }
    } catch (error) {
      await this.finishSending();
      if (!(error instanceof InventoryError)) throw error;
      const explained = await this.similarKeys.explainHeaderError(this.ctx, error);
      throw new BodyRejectedError(explained, this.report.summary);
    }
    await this.startSending();
    await this.finishSending();
    const similarKeys = await this.similarKeys.find(this.ctx, this.columns?.keys ?? []);
    this.report.similarKeys = similarKeys.slice(0, MAX_REPORTED_SIMILAR_KEYS);
    if (!isStopped()) await this.table.sortByParent();
  }

  /** Begins to store the added lines when the earlier ones are stored. */
  private async startSending(): Promise<void> {
    await this.finishSending();
    this.sending = this.table.send();
    // `finishSending` throws the error.
    this.sending.catch(() => undefined);
  }

  private async finishSending(): Promise<void> {
    const duplicates = await this.sending;
    this.sending = Promise.resolve([]);
    for (const duplicate of duplicates) {
      const { line, text } = duplicate;
      const error = duplicateError(duplicate);
      if (text === null) this.addFault(line, error);
      else {
        this.stagedCount--;
        this.report.recordInvalid(line, error);
        this.keepInvalid(line, identifyLine(text), error, true);
      }
    }
  }

  private stageLine({ line, content, record }: BodyLine): void {
    if (record) {
      this.columns = record.columns;
      this.report.columns = record.columns;
    }
    let parsed: ParsedLine | undefined;
    let text: string | undefined;
    try {
      if (typeof content !== 'string') throw content;
      parsed = identifyLine(content);
      // Unset variables are null in the line, so that the roles for them are checked, too.
      checkLine(this.ctx, content, parsed);
      const hasVariables = parsed.body['variables'] !== undefined;
      text = record ? stagedLineOfRecord(content, record, hasVariables) : content;
      this.stagedCount++;
    } catch (error) {
      if (!isLineFault(error)) throw error;
      // A record of a table describes a device.
      if (parsed?.identity === undefined)
        this.unidentifiedGroups.add(parsed?.kind.group ?? (record && lineGroups.devices));
      else this.keepInvalid(line, parsed, error);
      this.report.recordInvalid(line, error);
    }
    // Invalid lines, too, so that lines that refer to them are not reported as faulty.
    if (parsed) this.store(line, parsed, text);
  }

  private keepInvalid(line: number, parsed: ParsedLine, error: InventoryError, isDuplicate = false): void {
    const body = membersToLookUp(parsed, error);
    if (!body || this.toLookUp.size === MAX_REPORTED_ERRORS) return;
    this.toLookUp.set(line, {
      line: { line, text: '', kind: parsed.kind, body },
      error: shownError(error),
      isDuplicate,
    });
  }

  /** Adds a fault to an invalid line, if it is one of those that were kept. */
  private addFault(line: number, fault: InventoryError): void {
    const invalid = this.toLookUp.get(line);
    const error = invalid && combineFaults([invalid.error, fault]);
    if (!error) return;
    this.toLookUp.set(line, { ...invalid, error, isDuplicate: true });
    this.report.replaceInvalid(line, error);
  }

  private store(line: number, { kind, identity, body }: ParsedLine, text: string | undefined): void {
    if (identity === undefined) return;
    const textOf = (member: string): string | undefined =>
      typeof body[member] === 'string' ? body[member] : undefined;
    const parent = textOf('parent');
    this.table.add({
      line,
      text,
      // An exponent of a few bytes can become a megabyte of digits.
      size: text === undefined ? 0 : text.length + exponentDigits(text),
      rank: rankOf(kind.group),
      kind: kind.mapping.kind,
      identity,
      name: textOf(kind.group.name),
      region: textOf('region'),
      cell: textOf('cell'),
      parent: parent === undefined ? undefined : deviceIdentity(parent),
    });
  }
}

function duplicateError({ kind, earlier }: Duplicate): InventoryError {
  const group = lineKinds.get(kind)?.group;
  // The earlier line may have another kind: names are unique among all devices.
  const what = group?.hasSeveralKinds ? 'device' : kind;
  const message = `line ${String(earlier)} names the same ${what}`;
  const field = group?.name ?? 'name';
  return validationError([{ field, code: 'duplicate', message }], 'conflict');
}

const tooManyInvalidLines = (): InventoryError =>
  new InventoryError(
    'invalid_request',
    `More than ${String(MAX_INVALID_LINES)} lines are invalid. Correct the program that wrote them, or import fewer lines.`,
  );
