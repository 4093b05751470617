import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { StartupError } from '../../../core/errors/startup-error';
import { readerOf } from '../files/file-streams';
import {
  ContentHash,
  END,
  FORMAT,
  isEnd,
  isManifest,
  isVersioned,
  MANIFEST,
  tableOfPiece,
  type End,
  type Manifest,
} from './archive-format';

/** In bytes: pieces are a quarter of it at most, and so are the two others unless somebody made them up. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** A file in an archive. Its content has to be read before the next one is. */
interface ArchivedFile {
  readonly name: string;
  readonly length: number;
  readonly content: AsyncIterable<Buffer>;
}

/** What a checked archive says of itself. */
export interface Contents {
  readonly manifest: Manifest;
  readonly end: End;
}

/** Rows of a table, as COPY reads them: of one table after the other. */
export interface Piece {
  readonly table: string;
  readonly content: AsyncIterable<Buffer>;
}

/** A backup that was opened. It is read from its beginning as often as one likes, and is one and the same file. */
export class Archive {
  /**
   * @param file is not closed
   * @param name for people
   */
  constructor(
    private readonly file: FileHandle,
    private readonly name: string,
  ) {}

  /**
   * Reads all of it, to the last byte that matters.
   * @throws StartupError if it is none, is not whole, was altered, or is of a form that this program does not know
   */
  async check(): Promise<Contents> {
    try {
      return await this.checked();
    } catch (error) {
      throw isOfTheDisk(error) ? error : this.damaged(error);
    }
  }

  private async checked(): Promise<Contents> {
    const hash = new ContentHash();
    let manifest: Manifest | undefined;
    let end: End | undefined;
    for await (const { name, length, content } of this.files()) {
      if (end || (name === MANIFEST) !== (manifest === undefined)) throw this.damaged();
      if (name === END) {
        end = this.parsed(await textOf(content), isEnd);
        if (end.sha256 !== hash.hex()) throw this.damaged();
        continue;
      }
      hash.begin(name, length);
      if (name === MANIFEST) {
        const text = await textOf(content);
        hash.add(Buffer.from(text));
        manifest = this.manifestOf(text);
      } else {
        const table = tableOfPiece(name);
        if (!manifest?.tables.some((known) => known.name === table)) throw this.damaged();
        for await (const chunk of content) hash.add(chunk);
      }
    }
    if (!manifest || !end) throw this.damaged();
    return { manifest, end };
  }

  /** The rows of the tables. What is no archive any more since it was checked breaks off with an error. */
  async *pieces(): AsyncGenerator<Piece> {
    for await (const { name, content } of this.files()) {
      const table = tableOfPiece(name);
      if (table === undefined) await textOf(content);
      else yield { table, content };
    }
  }

  private async *files(): AsyncGenerator<ArchivedFile> {
    const tar = extract();
    const reading = pipeline(readerOf(this.file), createGunzip(), tar);
    // What it fails with, the files fail with.
    reading.catch(() => undefined);
    try {
      for await (const entry of tar) {
        const { name, size, type } = entry.header;
        if (type !== 'file' || size > LONGEST_FILE) throw this.damaged();
        yield { name, length: size, content: buffersOf(entry) };
      }
      await reading;
    } finally {
      tar.destroy();
    }
  }

  private manifestOf(text: string): Manifest {
    const { format } = this.parsed(text, isVersioned);
    if (format > FORMAT)
      throw new StartupError(
        `${this.name} was made by a newer Muster, in a form that this one does not know: restore it with that one.`,
      );
    return this.parsed(text, isManifest);
  }

  private parsed<T>(text: string, isValid: (value: unknown) => value is T): T {
    try {
      const value: unknown = JSON.parse(text);
      if (isValid(value)) return value;
    } catch (error) {
      throw this.damaged(error);
    }
    throw this.damaged();
  }

  private damaged(cause?: unknown): unknown {
    if (cause instanceof StartupError) return cause;
    return new StartupError(
      `${this.name} is not a whole backup of Muster: it was cut off or altered, or is something else. Nothing was changed.`,
      { cause },
    );
  }
}

/** tar-stream does not declare what its streams yield. */
async function* buffersOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A file of an archive was not read as bytes.');
    yield chunk;
  }
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Errors of reading the file, and not of what is in it. */
const isOfTheDisk = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'syscall' in error;
