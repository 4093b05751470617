import { kindsOf } from '../../addressing/finder';
import { asObject, exactJson } from '../../api/exact-json';
import type { Piece } from './source';

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
export class LaterParents {
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
