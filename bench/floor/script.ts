import type { SentStatement } from './wire';

/** A text with placeholders. */
export type Template = readonly (string | Marker | Address | Result)[];

/** A placeholder for the marker, which differs in each request. */
interface Marker {
  readonly marker: true;
}

/** A placeholder for the IP address that belongs to the marker. */
interface Address {
  readonly address: true;
}

/** A placeholder for a value from an earlier statement's first row, such as an ID or a version. */
interface Result {
  readonly statement: number;
  readonly column: number;
}

/** One statement of a transaction to replay. */
interface ScriptStatement {
  readonly text: string;
  readonly values: readonly (Template | { readonly binary: string } | null)[];
  readonly prepared: boolean;
  /** The expected command tag with the number of rows. */
  readonly outcome: string;
}

/** The statements of one request, in one transaction. */
export interface Script {
  readonly statements: readonly ScriptStatement[];
  readonly status: number;
  readonly answer: Template;
}

/** A recorded request. */
export interface Recording {
  readonly marker: string;
  readonly statements: readonly SentStatement[];
  readonly status: number;
  readonly answer: string;
}

/** Markers have the same length, so that their cost is equal. */
export const markerOf = (number: number): string => `m${String(number).padStart(15, '0')}`;
export const isMarker = (value: unknown): value is string =>
  typeof value === 'string' && /^m\d{15}$/.test(value);

/** The IP address for a marker. Hosts with the same address would have to be found and named for each of them. */
export function addressOf(marker: string): string {
  const number = Number(marker.slice(1)) % 2 ** 24;
  return ['10', number >>> 16, (number >>> 8) & 255, number & 255].join('.');
}

/**
 * Builds a script from two recordings of the same request. Differences become placeholders, if they are the marker or a
 * result of an earlier statement. Other differences, such as times, keep the first recording's value.
 */
export function scriptOf(one: Recording, other: Recording): Script {
  if (one.statements.length !== other.statements.length)
    throw new Error('the two recordings have different statements');
  const templateOf = (a: string, b: string, before: number) =>
    merged(tokens(a), tokens(b), (x, y) => {
      if (x.includes(one.marker)) return { marker: true };
      return resultThat(one, other, before, x, y) ?? x;
    });
  const statements = one.statements.map(({ text, values, prepared, outcome }, i) => ({
    text,
    prepared,
    outcome,
    values: values.map((value, k): ScriptStatement['values'][number] => {
      const again = other.statements[i]?.values[k];
      if (typeof value !== 'string') return value;
      if (value === addressOf(one.marker)) return [{ address: true }];
      return typeof again === 'string' ? templateOf(value, again, i) : [value];
    }),
  }));
  const answer = templateOf(one.answer, other.answer, one.statements.length);
  return { statements, status: one.status, answer };
}

/** Splits a text into words, numbers and separators. */
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

/** The source of both values: the same column in the first row of the same statement. */
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
