import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { MIGRATIONS } from '../stored-tables';

/*
 * An archive is a gzipped tar: `manifest.json`, then of each table pieces of what COPY wrote, one after the other, and
 * `end.json`. Whoever joins a table's pieces in their order has what COPY reads again. See ADR 36.
 */

export const MANIFEST = 'manifest.json';
export const END = 'end.json';

/** Raised by whatever a program that reads archives has to know of. */
export const FORMAT = 1;

/** Read before anything else: only whether the program knows the rest. */
export const formatSchema = z.looseObject({ format: z.int() });

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The version of the program that made the backup. */
  muster: z.string(),
  /** When the state was read that is in the archive. */
  created_at: z.iso.datetime(),
  /** The server's version. */
  postgresql: z.string(),
  /** What the schema was made by, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which their rows follow. */
  tables: z.array(
    z.object({ name: z.string().refine((name) => name !== MIGRATIONS), columns: z.array(z.string()).min(1) }),
  ),
});

/** What an archive begins with: all there is to know before its rows. */
export type Manifest = z.infer<typeof manifestSchema>;

const digits = z.string().regex(/^\d{1,19}$/);

export const endSchema = z.object({
  rows: z.record(z.string(), z.int().nonnegative()),
  /** How far each sequence had come; without those that had not begun. */
  sequences: z.record(z.string(), digits),
  /** Of all that is before, in hexadecimal digits. */
  sha256: z.string(),
});

/** What an archive ends with: without it, it is not whole. */
export type End = z.infer<typeof endSchema>;

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
