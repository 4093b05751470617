import { ApiError } from '@muster/api-types';
import { asObject, exactJson } from '../../api/exact-json';
import { CliError, EXIT } from '../../cli-error';
import { ImportStoppedError, type Importer } from './import-client';
import { positionText, type ImportSource, type SourcePiece } from '../../files/source';
import { addSummaries, EMPTY_SUMMARY, type ImportSummary } from './import-report';
import type { InterruptHandler } from '../long-requests';
import { revertLinesOfImport } from '../report-write';
import { describeKinds } from '../../lookup/resource-finder';
import type { Progress } from '../../output/progress';

/** The error for an interrupt between two batches. */
const interruptedError = (): CliError =>
  new CliError('Interrupted.', EXIT.interrupted, ['Nothing was written.']);

/** Imports a source in batches. Each batch is a request and a change. */
export class BatchImport {
  private readonly parents = new DeferredParents();
  private summary = EMPTY_SUMMARY;
  /** The number of lines before the current batch. */
  private before = 0;
  private batch: SourcePiece[] = [];
  /** The header of a CSV file, which every batch starts with. */
  private header: SourcePiece[] = [];
  private size = 0;

  constructor(
    private readonly importer: Importer,
    private readonly source: ImportSource,
    private readonly batchSize: number,
    private readonly progress: Progress,
    private readonly interrupts: InterruptHandler,
  ) {}

  /** @throws CliError that says which lines were imported, and how to continue */
  async run(): Promise<ImportSummary> {
    const { signal } = this.interrupts;
    // Reading from a pipe would wait for its input.
    const closeSource = () => {
      this.source.close();
    };
    signal.addEventListener('abort', closeSource);
    try {
      for await (const pieces of this.source.pieces()) for (const piece of pieces) await this.add(piece);
      this.throwIfInterrupted();
      if (this.batch.length > 0) await this.sendBatch();
      await this.sendParents();
    } catch (error) {
      throw this.toPartialError(
        signal.aborted && !(error instanceof ImportStoppedError) ? interruptedError() : error,
      );
    } finally {
      signal.removeEventListener('abort', closeSource);
    }
    return this.summary;
  }

  private throwIfInterrupted(): void {
    if (this.interrupts.isInterrupted) throw interruptedError();
  }

  private async add(piece: SourcePiece): Promise<void> {
    if (this.source.isCsv && this.takeHeader(piece)) return;
    this.batch.push(piece);
    this.size += piece.lines;
    if (this.batch.length >= this.batchSize) await this.sendBatch();
  }

  /** Takes the lines of the header: an optional separator line and the names of the columns. */
  private takeHeader(piece: SourcePiece): boolean {
    const last = this.header.at(-1);
    if (last && !/^\uFEFF?sep=/i.test(last.bytes.toString('utf8'))) return false;
    this.header.push(piece);
    this.before += piece.lines;
    return true;
  }

  private async sendBatch(): Promise<void> {
    this.throwIfInterrupted();
    const { before, batch, header, size } = this;
    // Shown while the batch is written.
    this.progress.update(this.source.bytesRead, before);
    const sent = this.source.isCsv ? [...header, ...batch] : this.parents.defer(batch, before + 1);
    const extra = this.source.isCsv ? countPieceLines(header) : 0;
    const summary = await this.importer.importPart(toBytes(sent), (line) =>
      this.source.positions.positionOf(before + line - extra),
    );
    this.summary = addSummaries(this.summary, summary);
    this.before = before + size;
    this.batch = [];
    this.size = 0;
    this.progress.update(this.source.bytesRead, this.before);
  }

  private async sendParents(): Promise<void> {
    const { deferred } = this.parents;
    for (let at = 0; at < deferred.length; at += this.batchSize) {
      this.throwIfInterrupted();
      const chunk = deferred.slice(at, at + this.batchSize);
      const summary = await this.importer.importPart(toBytes(chunk.map(({ piece }) => piece)), (line) =>
        this.source.positions.positionOf(chunk[line - 1]?.line ?? 0),
      );
      this.summary = addParents(this.summary, summary);
    }
  }

  /** The ids of the changes that were made, in order, with that of the last batch if it was written nevertheless. */
  private changesWith(error: unknown): readonly string[] {
    const outcome = error instanceof ImportStoppedError ? error.outcome : undefined;
    const last = outcome?.written === 'all' ? (outcome.change ?? []) : [];
    return [...(this.summary.changes ?? []).map(({ id }) => id), last].flat();
  }

  private toPartialError(error: unknown): unknown {
    const written = error instanceof ImportStoppedError && error.outcome.written === 'all';
    const last = written ? this.before + this.size : this.before;
    const isNone = last <= countPieceLines(this.header);
    if (isNone || !(error instanceof CliError || error instanceof ApiError)) return error;
    const code = error instanceof CliError ? error.exitCode : EXIT.rejected;
    const lines = error instanceof CliError ? error.lines : [];
    return new CliError(
      toLastBatchText(error.message),
      code === EXIT.interrupted || code === EXIT.unavailable ? code : EXIT.partial,
      [
        ...lines.map(toLastBatchText),
        `The lines up to ${positionText(this.source.positions.positionOf(last))} were imported.`,
        ...(this.parents.deferred.length > 0
          ? [
              `The parents of ${String(this.parents.deferred.length)} devices are not set yet: they come last.`,
            ]
          : []),
        'To continue, repeat the import: what is written already stays unchanged.',
        ...revertLinesOfImport(this.changesWith(error)),
      ],
    );
  }
}

/** Adds the errors of deferred parents. Their lines were counted before; a line that failed twice is reported once. */
function addParents(summary: ImportSummary, parents: ImportSummary): ImportSummary {
  const reported = new Set(summary.errors.map(({ position }) => positionText(position)));
  const newErrors = parents.errors.filter(({ position }) => !reported.has(positionText(position)));
  const duplicates = parents.errors.length - newErrors.length;
  return {
    ...summary,
    failed: summary.failed + parents.failed - duplicates,
    errors: [...summary.errors, ...newErrors],
    missingLocations: [...summary.missingLocations, ...parents.missingLocations],
    changes: [...(summary.changes ?? []), ...(parents.changes ?? [])],
  };
}

const toBytes = (pieces: readonly SourcePiece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes));

const countPieceLines = (pieces: readonly SourcePiece[]): number =>
  pieces.reduce((sum, { lines }) => sum + lines, 0);

const toLastBatchText = (line: string): string =>
  line
    .replace(/^Nothing was written/, 'Nothing of the last batch was written')
    .replace(/^Everything was written/, 'The last batch was written completely');

const DEVICES: ReadonlySet<unknown> = new Set(describeKinds('device').map(({ kind }) => kind));

/** A line that sets the parent of a device, to be sent after all others. */
interface DeferredParent {
  readonly piece: SourcePiece;
  /** The number of the original line. */
  readonly line: number;
}

/**
 * Defers parents that may be in a later batch than their children: such a line is sent without its parent, and the parent
 * is set at the end. All other references in exports are to earlier lines.
 */
class DeferredParents {
  /** The names of the devices in all batches so far. */
  private readonly knownNames = new Set<string>();
  readonly deferred: DeferredParent[] = [];

  /** @param first the number of the first line of the batch @returns the lines to send */
  defer(pieces: readonly SourcePiece[], first: number): SourcePiece[] {
    const lines = pieces.map((piece) => ({ piece, text: piece.bytes.toString('utf8') }));
    for (const { text } of lines) {
      const name = deviceName(text);
      if (name !== undefined) this.knownNames.add(name);
    }
    let line = first;
    return lines.map(({ piece, text }) => {
      const at = line;
      line += piece.lines;
      return text.includes('"parent"') ? this.deferParent(piece, text, at) : piece;
    });
  }

  private deferParent(piece: SourcePiece, text: string, line: number): SourcePiece {
    const body = parseObject(text);
    const { kind, name, parent, ...rest } = body ?? {};
    if (typeof parent !== 'string' || this.knownNames.has(parent)) return piece;
    this.deferred.push({ piece: toPiece({ kind, name, parent }), line });
    return toPiece({ kind, name, ...rest });
  }
}

const toPiece = (body: object): SourcePiece => ({
  bytes: Buffer.from(`${exactJson.stringify(body)}\n`),
  lines: 1,
});

/** The name of the device in a line; undefined for other resources. */
function deviceName(text: string): string | undefined {
  const { kind, name } = parseObject(text) ?? {};
  return typeof name === 'string' && DEVICES.has(kind) ? name : undefined;
}

/** Parses a line; undefined if it is invalid, which the service reports. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(exactJson.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
