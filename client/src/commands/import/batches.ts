import { Refusal } from '../../api/errors';
import { EXIT, Failure } from '../../cli-error';
import type { Progress } from '../../output/progress';
import type { Interruption } from '../long-requests';
import { Stopped, type Importer } from './importer';
import { type Piece, placeText, type Source } from './source';
import { added, NOTHING, type Summary } from './summary';
import { kindsOf } from '../../lookup/resource-finder';
import { asObject, exactJson } from '../../api/exact-json';

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

const DEVICES: ReadonlySet<unknown> = new Set(kindsOf('device').map(({ kind }) => kind));

/** A parent that is set when all lines have been sent. */
interface Held {
  readonly piece: Piece;
  /** The line that names it, among all that is sent. */
  readonly line: number;
}

/**
 * Holds back the parents that may come in a later batch than what hangs below them: such a line is sent without its
 * parent, and the parent is set at the end. Everything else that exports refer to comes before what refers to it.
 */
class LaterParents {
  /** Names of devices of the batches so far. */
  private readonly seen = new Set<string>();
  readonly held: Held[] = [];

  /** @param first the number of the batch's first line @returns what is sent in place of the batch */
  batch(pieces: readonly Piece[], first: number): Piece[] {
    const lines = pieces.map((piece) => ({ piece, text: piece.bytes.toString('utf8') }));
    for (const { text } of lines) {
      const name = deviceIn(text);
      if (name !== undefined) this.seen.add(name);
    }
    let line = first;
    return lines.map(({ piece, text }) => {
      const at = line;
      line += piece.lines;
      return text.includes('"parent"') ? this.without(piece, text, at) : piece;
    });
  }

  private without(piece: Piece, text: string, line: number): Piece {
    const body = objectIn(text);
    const { kind, name, parent, ...rest } = body ?? {};
    if (typeof parent !== 'string' || this.seen.has(parent)) return piece;
    this.held.push({ piece: pieceOf({ kind, name, parent }), line });
    return pieceOf({ kind, name, ...rest });
  }
}

const pieceOf = (body: object): Piece => ({ bytes: Buffer.from(`${exactJson.stringify(body)}\n`), lines: 1 });

/** The name of a line's device; undefined for a line of anything else. */
function deviceIn(text: string): string | undefined {
  const { kind, name } = objectIn(text) ?? {};
  return typeof name === 'string' && DEVICES.has(kind) ? name : undefined;
}

/** The object of a line; undefined where it is none, which is for the service to tell. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(exactJson.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
