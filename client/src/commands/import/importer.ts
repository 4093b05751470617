import { setTimeout as delay } from 'node:timers/promises';
import { Refusal, Unreachable } from '../../api/errors';
import type { Muster } from '../../api/muster';
import { EXIT, exitCodeOf, Failure, type ExitCode } from '../../cli-error';
import { counted, say } from '../../output/console';
import type { Progress } from '../../output/progress';
import type { Interruption } from '../long-requests';
import type { Place, Source } from './source';
import { Sending, outcomeOf, type Mode, type Outcome } from './import-request';
import { faultLines, readSummary, summaryOf, type Summary } from './summary';

/** An import of which nothing is written, because of some of its lines. */
export class LinesRefused extends Failure {
  constructor(
    readonly summary: Summary,
    refusal: Refusal,
    exitCode: ExitCode,
  ) {
    const { failed } = summary;
    const id = refusal.requestId === undefined ? [] : [`  request id: ${refusal.requestId}`];
    super(`Nothing was written: ${counted(failed, 'line')} cannot be imported.`, exitCode, [
      ...faultLines(summary),
      ...id,
    ]);
  }
}

/** An import that came to an end before it was done. */
export class Stopped extends Failure {
  constructor(
    message: string,
    exitCode: ExitCode,
    lines: readonly string[],
    readonly outcome: Outcome,
  ) {
    super(message, exitCode, lines);
  }
}

/** How often it is tried again where the service says: not now. */
const RETRIES = 3;
/** In milliseconds. */
const FIRST_PAUSE = 1000;

/** Waits before it is tried again, each time longer; not at all for who wishes to end. */
const pause = (attempt: number, signal: AbortSignal): Promise<void> =>
  delay(FIRST_PAUSE * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);

/** Sends what is to be imported, and finds out what came of it, whatever happens on the way. */
export class Importer {
  constructor(
    private readonly muster: Muster,
    private readonly source: Source,
    private readonly mode: Mode,
    private readonly progress: Progress,
    private readonly interruption: Interruption,
  ) {}

  /** Everything in one request, which is one change. @throws Failure, Refusal */
  async all(): Promise<Summary> {
    for (let attempt = 1; ; attempt++) {
      const again = attempt <= RETRIES && this.source.size !== undefined;
      const summary = await this.one(
        () => this.streamed(),
        (line) => this.source.places.of(line),
        again,
      );
      if (summary) return summary;
      await pause(attempt, this.interruption.signal);
    }
  }

  /** A part, in a request of its own. @throws Failure, Refusal */
  async part(body: Buffer, placeOf: (line: number) => Place): Promise<Summary> {
    const summary = await this.one(() => body, placeOf, false);
    if (!summary) throw new TypeError('a part was given up without a reason');
    return summary;
  }

  /** @returns what came of it; undefined if it is to be tried again */
  private async one(
    bodyOf: () => AsyncIterable<Uint8Array> | Buffer,
    placeOf: (line: number) => Place,
    again: boolean,
  ): Promise<Summary | undefined> {
    const sending = new Sending(this.muster, this.source, this.mode);
    try {
      return await this.answered(sending, bodyOf(), placeOf);
    } catch (error) {
      this.progress.end();
      await this.explain(error, sending, placeOf, again);
      return undefined;
    }
  }

  /** A body that is at hand is sent again where its answer is cut off: under its key it is done once. */
  private async answered(
    sending: Sending,
    body: AsyncIterable<Uint8Array> | Buffer,
    placeOf: (line: number) => Place,
  ): Promise<Summary> {
    const { signal } = this.interruption;
    for (let attempt = 1; ; attempt++) {
      const answer = await sending.send(body, signal);
      try {
        return await readSummary(answer, placeOf, this.mode.mostAltered);
      } catch (error) {
        const isCutOff = error instanceof Unreachable && !signal.aborted;
        if (!isCutOff || !Buffer.isBuffer(body) || attempt > RETRIES) throw error;
        say(`${error.message} Trying again.`);
        await pause(attempt, signal);
      }
    }
  }

  private async *streamed(): AsyncGenerator<Uint8Array> {
    let lines = 0;
    for await (const pieces of this.source.pieces()) {
      for (const piece of pieces) lines += piece.lines;
      this.progress.at(this.source.read, lines);
      if (pieces.length > 0) yield Buffer.concat(pieces.map(({ bytes }) => bytes));
    }
    this.progress.waiting(this.mode.dryRun ? 'trying' : 'writing');
  }

  /** Says why it is tried again. @throws Failure, Refusal: what is to be told where it is not */
  private async explain(
    error: unknown,
    sending: Sending,
    placeOf: (line: number) => Place,
    again: boolean,
  ): Promise<void> {
    if (this.interruption.isThere) throw await this.stopped('Interrupted.', EXIT.interrupted, sending);
    if (error instanceof Failure)
      throw new Stopped(error.message, error.exitCode, [...error.lines, 'Nothing was written.'], NONE);
    if (error instanceof Unreachable) {
      if (!again || error.mayBeDone)
        throw await this.stopped(error.message, EXIT.unreachable, sending, !error.mayBeDone);
      say(`${error.message}; trying again`);
      return;
    }
    if (!(error instanceof Refusal)) throw error;
    if (isOfLines(error)) throw new LinesRefused(summaryOf(error.body, placeOf), error, exitCodeOf(error));
    const isLater = (error.status === 503 && !error.mayBeDone) || error.status === 429;
    if (isLater && again) {
      say(`${error.message} Trying again.`);
      return;
    }
    if (error.status >= 500) throw await this.stopped(error.message, exitCodeOf(error), sending);
    say('Nothing was written.');
    throw error;
  }

  private async stopped(
    message: string,
    exitCode: ExitCode,
    sending: Sending,
    isUnsent = false,
  ): Promise<Stopped> {
    // Until the body has ended the service writes nothing.
    if (isUnsent || !sending.isWhole || this.mode.dryRun)
      return new Stopped(message, exitCode, outcomeLines(NONE, sending.id), NONE);
    say(`${message} Finding out what was written …`);
    const outcome = await outcomeOf(this.muster, sending.id, this.interruption.impatience);
    return new Stopped(message, exitCode, outcomeLines(outcome, sending.id), outcome);
  }
}

const NONE: Outcome = { written: 'nothing' };

/** Whether lines were refused: not the whole, because of who asks, or because it cannot be read to its end. */
const isOfLines = ({ body, details }: Refusal): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'errors' in body &&
  details.some(({ field }) => field.startsWith('line '));

/** What has become of an import, for a person. @param id under which it was sent */
export function outcomeLines(outcome: Outcome, id: string): string[] {
  if (outcome.written === 'nothing') return ['Nothing was written.'];
  if (outcome.written === 'all')
    return [
      outcome.change === undefined
        ? 'It was done. There is no change: all of it was so already.'
        : `All of it was written (change ${outcome.change}).`,
    ];
  return [
    `Whether it was written is not known yet: ${outcome.because}.`,
    `To find out: muster import --outcome ${id}`,
    'It can be imported again all the same: what is written already is found unchanged.',
  ];
}
