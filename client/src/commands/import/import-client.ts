import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, NetworkError } from '@muster/api-types';
import type { Muster } from '../../api/muster';
import { CliError, EXIT, exitCodeFor, type ExitCode } from '../../cli-error';
import { readChangeOfRequest } from '../report-write';
import { findOutcome, ImportRequest, type ImportMode, type ImportOutcome } from './import-request';
import type { ImportSource, SourcePosition } from '../../files/source';
import { readSummary, type ImportSummary } from './import-report';
import { readRegionNames } from './missing-locations';
import { hasLineErrors, rejectionOf, withSimilarRegions } from './rejected-import';
import type { InterruptHandler } from '../long-requests';
import type { Session } from '../session';
import { printStatus } from '../../output/console';
import type { Progress } from '../../output/progress';

/** An import that was interrupted, or failed without a response. */
export class ImportStoppedError extends CliError {
  constructor(
    message: string,
    exitCode: ExitCode,
    lines: readonly string[],
    readonly outcome: ImportOutcome,
  ) {
    super(message, exitCode, lines);
  }
}

const MAX_RETRIES = 3;
const MIN_DELAY_MS = 1000;

/** Exponential backoff. An interrupt ends it. */
const waitBeforeRetry = (attempt: number, signal: AbortSignal): Promise<void> =>
  delay(MIN_DELAY_MS * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);

/** Sends an import, and determines its outcome if the response is lost. */
export class Importer {
  private readonly muster: Muster;
  private regionNames: Promise<string[]> | undefined;

  constructor(
    private readonly session: Pick<Session, 'muster' | 'project'>,
    private readonly source: ImportSource,
    private readonly mode: ImportMode,
    private readonly progress: Progress,
    private readonly interrupts: InterruptHandler,
  ) {
    this.muster = session.muster;
  }

  /** Imports everything in one request and one change. @throws CliError, ApiError */
  async importAll(): Promise<ImportSummary> {
    for (let attempt = 1; ; attempt++) {
      const canRetry = attempt <= MAX_RETRIES && this.source.size !== undefined;
      const summary = await this.attempt(
        (ended) => this.stream(ended),
        (line) => this.source.positions.positionOf(line),
        canRetry,
      );
      if (summary) return summary;
      await waitBeforeRetry(attempt, this.interrupts.signal);
    }
  }

  /** Imports a part in a request of its own. @throws CliError, ApiError */
  async importPart(body: Buffer, positionOf: (line: number) => SourcePosition): Promise<ImportSummary> {
    const summary = await this.attempt(() => body, positionOf, false);
    if (!summary) throw new TypeError('a part cannot be retried');
    return summary;
  }

  /** @returns undefined if the import is to be retried */
  private async attempt(
    bodyOf: (ended: AbortSignal) => AsyncIterable<Uint8Array> | Buffer,
    positionOf: (line: number) => SourcePosition,
    canRetry: boolean,
  ): Promise<ImportSummary | undefined> {
    const request = new ImportRequest(this.muster, this.source, this.mode);
    const ended = new AbortController();
    let summary: ImportSummary;
    try {
      summary = await withSimilarRegions(
        await this.sendAndRead(request, bodyOf(ended.signal), positionOf),
        this.readNames,
      );
    } catch (error) {
      ended.abort();
      this.progress.end();
      await this.handleError(error, request, positionOf, canRetry);
      return undefined;
    }
    if (!this.mode.readsChange || summary.created + summary.updated === 0) return summary;
    const change = await readChangeOfRequest(this.muster, request.id, this.interrupts.signal);
    return change ? { ...summary, changes: [change] } : summary;
  }

  /** Sends the request. If the response is truncated, a body in memory is sent again with the same idempotency key. */
  private async sendAndRead(
    request: ImportRequest,
    body: AsyncIterable<Uint8Array> | Buffer,
    positionOf: (line: number) => SourcePosition,
  ): Promise<ImportSummary> {
    const { signal } = this.interrupts;
    for (let attempt = 1; ; attempt++) {
      const response = await request.send(body, signal);
      try {
        return await readSummary(response, positionOf, this.mode.maxChangedLines, this.mode.onLine);
      } catch (error) {
        const isTruncated = error instanceof NetworkError && !signal.aborted;
        if (!isTruncated || !Buffer.isBuffer(body) || attempt > MAX_RETRIES) throw error;
        printStatus(`${error.message} Retrying.`);
        await waitBeforeRetry(attempt, signal);
      }
    }
  }

  /**
   * @param ended aborted when the request has failed. A response can arrive before the source is read: then the rest is not
   * sent, and must not show progress again
   */
  private async *stream(ended: AbortSignal): AsyncGenerator<Uint8Array> {
    let lines = 0;
    for await (const pieces of this.source.pieces()) {
      ended.throwIfAborted();
      for (const piece of pieces) lines += piece.lines;
      this.progress.update(this.source.bytesRead, lines);
      if (pieces.length > 0) yield Buffer.concat(pieces.map(({ bytes }) => bytes));
    }
    ended.throwIfAborted();
    this.progress.wait(this.mode.dryRun ? 'checking' : 'writing');
  }

  /** Returns if the import is to be retried. @throws CliError, ApiError otherwise */
  private async handleError(
    error: unknown,
    request: ImportRequest,
    positionOf: (line: number) => SourcePosition,
    canRetry: boolean,
  ): Promise<void> {
    if (this.interrupts.isInterrupted)
      throw await this.stoppedError('Interrupted.', EXIT.interrupted, request);
    if (error instanceof CliError)
      throw new ImportStoppedError(
        error.message,
        error.exitCode,
        [...error.lines, 'Nothing was written.'],
        NOTHING_WRITTEN,
      );
    if (error instanceof NetworkError) {
      if (!canRetry || error.isOutcomeUnknown)
        throw await this.stoppedError(error.message, EXIT.unavailable, request, !error.isOutcomeUnknown);
      printStatus(`${error.message}; retrying`);
      return;
    }
    if (!(error instanceof ApiError)) throw error;
    if (hasLineErrors(error)) throw await rejectionOf(error, this.source, positionOf, this.readNames);
    const isTemporary = (error.status === 503 && !error.isOutcomeUnknown) || error.status === 429;
    if (isTemporary && canRetry) {
      printStatus(`${error.message} Retrying.`);
      return;
    }
    if (error.status >= 500) throw await this.stoppedError(error.message, exitCodeFor(error), request);
    throw await rejectionOf(error, this.source, positionOf, this.readNames);
  }

  /** Reads the names of regions once. */
  private readonly readNames = (): Promise<string[]> => (this.regionNames ??= readRegionNames(this.session));

  private async stoppedError(
    message: string,
    exitCode: ExitCode,
    request: ImportRequest,
    isUnsent = false,
  ): Promise<ImportStoppedError> {
    // The service writes nothing before the end of the body.
    if (isUnsent || !request.isBodySent || this.mode.dryRun)
      return new ImportStoppedError(
        message,
        exitCode,
        outcomeLines(NOTHING_WRITTEN, request.id),
        NOTHING_WRITTEN,
      );
    printStatus(`${message} Checking what was written …`);
    const outcome = await findOutcome(this.muster, request.id, this.interrupts.forceSignal);
    return new ImportStoppedError(message, exitCode, outcomeLines(outcome, request.id), outcome);
  }
}

const NOTHING_WRITTEN: ImportOutcome = { written: 'nothing' };

/** The outcome of an import as lines of a message. @param id the request id */
export function outcomeLines(outcome: ImportOutcome, id: string): string[] {
  if (outcome.written === 'nothing') return ['Nothing was written.'];
  if (outcome.written === 'all')
    return [
      outcome.change === undefined
        ? 'The import was processed, and changed nothing.'
        : `Everything was written (change ${outcome.change}).`,
    ];
  return [
    `It is not known yet whether anything was written: ${outcome.because}.`,
    `To check the outcome: muster import --outcome ${id}`,
    'You can also repeat the import: what is written already stays unchanged.',
  ];
}
