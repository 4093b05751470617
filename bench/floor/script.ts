import type { SentStatement } from './wire';

/** A text that is made anew each time, of these pieces. */
export type Template = readonly (string | Marker | Result)[];

/** The value that is another one in each request. */
interface Marker {
  readonly marker: true;
}

/** A value of an earlier statement's first row: an id that it gave, or a version that it read. */
interface Result {
  readonly statement: number;
  readonly column: number;
}

/** One statement of a transaction, to be run again. */
interface ScriptStatement {
  readonly text: string;
  readonly values: readonly (Template | { readonly binary: string } | null)[];
  readonly prepared: boolean;
  /** What PostgreSQL has to say to it: another number of rows would be another piece of work. */
  readonly outcome: string;
}

/** What the service asks PostgreSQL for when it does one request, in one transaction. */
export interface Script {
  readonly statements: readonly ScriptStatement[];
  readonly status: number;
  readonly answer: Template;
}

/** One request that the service did while somebody listened. */
export interface Recording {
  readonly marker: string;
  readonly statements: readonly SentStatement[];
  readonly status: number;
  readonly answer: string;
}

/** Markers are of one length, so that none costs more than another. */
export const markerOf = (number: number): string => `m${String(number).padStart(15, '0')}`;
export const isMarker = (value: unknown): value is string =>
  typeof value === 'string' && /^m\d{15}$/.test(value);

/**
 * Makes a script of two recordings of the same request: what differs between them is what has to be made anew. Where it
 * is neither the marker nor what an earlier statement answered (a time, say), the first recording's value stays.
 */
export function scriptOf(one: Recording, other: Recording): Script {
  if (one.statements.length !== other.statements.length)
    throw new Error('the service did the same thing with other statements the second time');
  const templateOf = (a: string, b: string, before: number) =>
    merged(tokens(a), tokens(b), (x, y) => {
      if (x.includes(one.marker)) return { marker: true };
      return resultThat(one, other, before, x, y) ?? x;
    });
  const statements = one.statements.map(({ text, values, prepared, outcome }, i) => ({
    text,
    prepared,
    outcome,
    values: values.map((value, k) => {
      const again = other.statements[i]?.values[k];
      if (typeof value !== 'string') return value;
      return typeof again === 'string' ? templateOf(value, again, i) : [value];
    }),
  }));
  const answer = templateOf(one.answer, other.answer, one.statements.length);
  return { statements, status: one.status, answer };
}

/** Words and numbers, and what is between them. */
const tokens = (text: string): string[] => text.match(/\w+|\W+/g) ?? [];

function merged(
  one: readonly string[],
  other: readonly string[],
  difference: (one: string, other: string) => Template[number],
): Template {
  const pieces: Template[number][] = [];
  for (const [i, token] of one.entries()) {
    const again = one.length === other.length ? (other[i] ?? token) : token;
    const piece = token === again ? token : difference(token, again);
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}

/** Where both values have come from: the same place in the first row of the same statement. */
function resultThat(
  one: Recording,
  other: Recording,
  before: number,
  value: string,
  again: string,
): Result | undefined {
  for (let statement = 0; statement < before; statement++) {
    const [row] = one.statements[statement]?.rows ?? [];
    const [rowAgain] = other.statements[statement]?.rows ?? [];
    const column = row?.findIndex((cell, i) => cell === value && rowAgain?.[i] === again) ?? -1;
    if (column >= 0) return { statement, column };
  }
  return undefined;
}
