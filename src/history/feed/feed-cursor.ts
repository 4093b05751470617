import { InventoryError } from '../../core/errors/inventory-error';

/**
 * A set of records that is final: nothing that commits later can belong to it. A record belongs to it by its id and
 * by the transaction that made it.
 */
export interface Window {
  /** Up to this id, records are a predecessor's, restored here: all that there are ever will be. */
  readonly floor: number;
  /** Above the floor, only records of transactions with lesser ids, which have all ended. */
  readonly endedBefore: string;
  /** Only records with lesser ids. */
  readonly below: number;
}

/** How far a reader has come. */
export interface Cursor {
  /** Was read to its end. */
  readonly delivered: Window;
  /** Is being read, in the order of ids, without what was delivered before … */
  readonly reading: Window;
  /** … up to this id. */
  readonly last: number;
}

const NOTHING: Window = { floor: 0, endedBefore: '0', below: 0 };

/** Before the first record. */
export const BEGINNING: Cursor = { delivered: NOTHING, reading: NOTHING, last: 0 };

/** After everything that belongs to a window. */
export const endOf = (window: Window): Cursor => ({
  delivered: window,
  reading: window,
  last: Math.max(window.below - 1, 0),
});

/** Whether nothing is left of the window that is being read. */
export const isAtEnd = ({ reading, last }: Cursor): boolean => last + 1 >= reading.below;

const FORM = 1;

type Numbers = readonly [floor: number, endedBefore: string, below: number];

const numbersOf = ({ floor, endedBefore, below }: Window): Numbers => [floor, endedBefore, below];

/**
 * A cursor as clients keep it, without a look inside.
 * @param of what the feed is of: a cursor is of no use for another
 */
export function cursorText({ delivered, reading, last }: Cursor, of: string): string {
  const parts = [FORM, of, ...numbersOf(delivered), ...numbersOf(reading), last];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws InventoryError 400 for what is not a cursor of this feed */
export function parseCursor(text: string, of: string): Cursor {
  const parts = partsOf(text);
  const [form, scope, ...rest] = parts;
  const [delivered, reading] = [windowOf(rest.slice(0, 3)), windowOf(rest.slice(3, 6))];
  const last = rest[6];
  if (form !== FORM || scope !== of || parts.length !== 9 || !delivered || !reading || !isId(last))
    throw InventoryError.invalid('after', 'is not a cursor that this feed gave for the same projects');
  return { delivered, reading, last };
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function windowOf([floor, endedBefore, below]: readonly unknown[]): Window | undefined {
  if (!isId(floor) || !isId(below) || !isTransactionId(endedBefore)) return undefined;
  return { floor, endedBefore, below };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Of 64 bits: with as many digits as surely fit. */
const isTransactionId = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,19}$/.test(value);
