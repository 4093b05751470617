import type { Places } from './places';

/** What is sent, in the order of the file, a few lines at a time. */
export interface Piece {
  /** With its line end. */
  readonly bytes: Buffer;
  /** So many lines of the body it makes. */
  readonly lines: number;
}

/** What is known before anything is read, and while it is. */
export interface Reading {
  /** In bytes, as they stand in the files; undefined where nobody knows. */
  readonly size: number | undefined;
  /** How much of it is read. */
  readonly read: number;
  readonly places: Places;
  /** Leaves what is open. */
  close(): void;
}

/** Where an import comes from. */
export interface Source extends Reading {
  readonly type: 'application/x-ndjson' | 'text/csv';
  /** How the bytes are compressed, where they are sent as they are. */
  readonly encoding?: 'gzip';
  /** The lines that each request has to begin with: what a table begins with. They stand in the first pieces, too. */
  readonly isTable: boolean;
  /** From the beginning. @throws Failure for what cannot be read */
  pieces(): AsyncGenerator<Piece[]>;
}
