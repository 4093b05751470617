import { createHash, type Hash } from 'node:crypto';
import { isObject } from '../../../core/context/variable-key';
import { MIGRATIONS } from '../stored-tables';

/*
 * An archive is a gzipped tar: `manifest.json`, then of each table pieces of what COPY wrote, one after the other, and
 * `end.json`. Whoever joins a table's pieces in their order has what COPY reads again. See ADR 36.
 */

export const MANIFEST = 'manifest.json';
export const END = 'end.json';

/** Raised by whatever a program that reads archives has to know of. */
export const FORMAT = 1;

/** What an archive begins with: all there is to know before its rows. */
export interface Manifest {
  readonly format: number;
  /** The version of the program that made the backup. */
  readonly muster: string;
  /** When the state was read that is in the archive. */
  readonly created_at: string;
  /** The server's version. */
  readonly postgresql: string;
  /** What the schema was made by, oldest first. */
  readonly migrations: readonly string[];
  /** In the order in which their rows follow. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** What an archive ends with: without it, it is not whole. */
export interface End {
  readonly rows: Readonly<Record<string, number>>;
  /** How far each sequence had come; without those that had not begun. */
  readonly sequences: Readonly<Record<string, string>>;
  /** Of all that is before, in hexadecimal digits. */
  readonly sha256: string;
}

/** Read before anything else: only whether the program knows the rest. */
export const isVersioned = (value: unknown): value is Pick<Manifest, 'format'> =>
  isObject(value) && Number.isSafeInteger(value.format);

export const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  value.format === FORMAT &&
  [value.muster, value.created_at, value.postgresql].every(isText) &&
  isTexts(value.migrations) &&
  Array.isArray(value.tables) &&
  value.tables.every(isTable);

const isTable = (value: unknown): boolean =>
  isObject(value) && isText(value.name) && value.name !== MIGRATIONS && isTexts(value.columns);

export const isEnd = (value: unknown): value is End =>
  isObject(value) &&
  isObject(value.rows) &&
  Object.values(value.rows).every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
  isObject(value.sequences) &&
  Object.values(value.sequences).every((position) => isText(position) && /^\d{1,19}$/.test(position)) &&
  isText(value.sha256);

const isText = (value: unknown): value is string => typeof value === 'string';

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText);

/** The name of a piece of a table, so that names are in the order of the pieces. */
export const pieceName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(8, '0')}.copy`;

/** The table of a piece; undefined for what is none. */
export const tableOfPiece = (name: string): string | undefined =>
  /^tables\/([^/]+)\/\d{8}\.copy$/.exec(name)?.[1];

/** The sum over an archive's files in their order: their names, lengths and contents. */
export class ContentHash {
  private readonly hash: Hash = createHash('sha256');

  begin(name: string, length: number): void {
    this.hash.update(`${name}\n${String(length)}\n`);
  }

  add(content: Uint8Array): void {
    this.hash.update(content);
  }

  /** Ends it. */
  hex(): string {
    return this.hash.digest('hex');
  }
}
