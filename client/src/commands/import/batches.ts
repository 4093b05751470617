import { Refusal } from '../../api/errors';
import { EXIT, Failure } from '../../failures';
import type { Progress } from '../../output/progress';
import type { Interruption } from '../interruption';
import { Stopped, type Importer } from './importer';
import { LaterParents } from './later-parents';
import { placeText } from './places';
import type { Piece, Source } from './source';
import { added, NOTHING, type Summary } from './summary';

/** It came to an end between two batches, or while one was collected. */
const interrupted = (): Failure => new Failure('Interrupted.', EXIT.interrupted, ['Nothing was written.']);

/** Imports a source batch by batch: each is a request and a change of its own. */
export class Batches {
  private readonly parents = new LaterParents();
  private summary = NOTHING;
  /** So many lines were read before the batch that is collected. */
  private before = 0;
  private batch: Piece[] = [];
  /** What every batch of a table begins with. */
  private header: Piece[] = [];
  private size = 0;

  constructor(
    private readonly importer: Importer,
    private readonly source: Source,
    private readonly most: number,
    private readonly progress: Progress,
    private readonly interruption: Interruption,
  ) {}

  /** @throws Failure that says which lines are done, and how to go on */
  async all(): Promise<Summary> {
    const { signal } = this.interruption;
    // What waits for its input would go on to wait.
    const leave = () => {
      this.source.close();
    };
    signal.addEventListener('abort', leave);
    try {
      for await (const pieces of this.source.pieces()) for (const piece of pieces) await this.take(piece);
      this.goOn();
      if (this.batch.length > 0) await this.send();
      await this.sendParents();
    } catch (error) {
      throw this.partly(signal.aborted && !(error instanceof Stopped) ? interrupted() : error);
    } finally {
      signal.removeEventListener('abort', leave);
    }
    return this.summary;
  }

  /** @throws Failure where it is wished to end */
  private goOn(): void {
    if (this.interruption.isThere) throw interrupted();
  }

  private async take(piece: Piece): Promise<void> {
    if (this.source.isTable && this.isHeader(piece)) return;
    this.batch.push(piece);
    this.size += piece.lines;
    if (this.batch.length >= this.most) await this.send();
  }

  /** The line that says what separates cells, and the names of the columns. */
  private isHeader(piece: Piece): boolean {
    const last = this.header.at(-1);
    if (last && !/^\uFEFF?sep=/i.test(last.bytes.toString('utf8'))) return false;
    this.header.push(piece);
    this.before += piece.lines;
    return true;
  }

  private async send(): Promise<void> {
    this.goOn();
    const { before, batch, header, size } = this;
    // What is seen while it is written.
    this.progress.at(this.source.read, before);
    const sent = this.source.isTable ? [...header, ...batch] : this.parents.batch(batch, before + 1);
    const extra = this.source.isTable ? lengthOf(header) : 0;
    const summary = await this.importer.part(bytesOf(sent), (line) =>
      this.source.places.of(before + line - extra),
    );
    this.summary = added(this.summary, summary);
    this.before = before + size;
    this.batch = [];
    this.size = 0;
    this.progress.at(this.source.read, this.before);
  }

  private async sendParents(): Promise<void> {
    const { held } = this.parents;
    for (let at = 0; at < held.length; at += this.most) {
      this.goOn();
      const some = held.slice(at, at + this.most);
      const summary = await this.importer.part(bytesOf(some.map(({ piece }) => piece)), (line) =>
        this.source.places.of(some[line - 1]?.line ?? 0),
      );
      this.summary = withParents(this.summary, summary);
    }
  }

  private partly(error: unknown): unknown {
    const written = error instanceof Stopped && error.outcome.written === 'all';
    const last = written ? this.before + this.size : this.before;
    const isNone = last <= lengthOf(this.header);
    if (isNone || !(error instanceof Failure || error instanceof Refusal)) return error;
    const code = error instanceof Failure ? error.exitCode : EXIT.refused;
    const lines = error instanceof Failure ? error.lines : [];
    return new Failure(
      ofLastBatch(error.message),
      code === EXIT.interrupted || code === EXIT.unreachable ? code : EXIT.partly,
      [
        ...lines.map(ofLastBatch),
        `Done are the lines up to ${placeText(this.source.places.of(last))}.`,
        ...(this.parents.held.length > 0
          ? [`Not set yet are the parents of ${String(this.parents.held.length)} devices, which come last.`]
          : []),
        'To go on, import the same again: what is done is found unchanged.',
      ],
    );
  }
}

/** The lines whose parents were set were counted before. What failed twice is told once. */
function withParents(summary: Summary, parents: Summary): Summary {
  const told = new Set(summary.faults.map(({ place }) => placeText(place)));
  const faults = parents.faults.filter(({ place }) => !told.has(placeText(place)));
  const known = parents.faults.length - faults.length;
  return {
    ...summary,
    failed: summary.failed + parents.failed - known,
    faults: [...summary.faults, ...faults],
  };
}

const bytesOf = (pieces: readonly Piece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes));

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { lines }) => sum + lines, 0);

const ofLastBatch = (line: string): string =>
  line
    .replace(/^Nothing was written/, 'Nothing of the last batch was written')
    .replace(/^All of it was written/, 'All of the last batch was written');
