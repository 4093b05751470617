import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isNativeError } from 'node:util/types';
import { createGunzip } from 'node:zlib';
import { isDatabaseUnavailable, postgresError } from '../database/errors/postgres-error';
import { StartupError } from '../core/errors';

/*
 * A backup is a gzipped text of sections: a header (JSON), the rows of each table as `COPY … TO STDOUT` writes them,
 * and a trailer (JSON). A form feed ends each section; COPY and JSON escape form feeds, so no section contains one.
 * The trailer shows that the file is complete, the CRC-32 of gzip that it is intact, and the digest in the trailer that nobody
 * edited it and compressed it again. See ADR 36.
 */
export const SECTION_END = '\f';

/** Identifies the format. It changes with every change that older programs cannot read. */
export const FORMAT = 'muster-backup-2';

export interface BackupHeader {
  readonly format: typeof FORMAT;
  /** The version of the program that made the backup. */
  readonly muster: string;
  /** The time of the snapshot. */
  readonly created_at: string;
  /** The version of the schema: the names of its migrations, oldest first. */
  readonly migrations: readonly string[];
  /** In the order in which their rows follow. */
  readonly tables: readonly string[];
}

export interface BackupTrailer {
  /** The number of rows of each table. */
  readonly rows: Record<string, number>;
  /** The last value of each sequence that has been used. */
  readonly sequences: Record<string, string>;
  /** The SHA-256 of everything before the trailer, in hexadecimal. Backups from before the first release may lack it. */
  readonly sha256?: string;
}

export interface Backup {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/**
 * Reads a backup from beginning to end.
 * @param readRows reads all rows of a table
 * @throws Error if the file is truncated or corrupted, possibly after some rows have been read
 */
export function readBackup(
  file: string,
  readRows: (table: string, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Backup> {
  return pipeline(createReadStream(file), createGunzip(), async (content: AsyncIterable<Buffer>) => {
    const reader = new SectionReader(content);
    const header = await json(reader.section());
    if (!isHeader(header)) throw otherFormat(header) ?? new Error('the header has another format');
    for (const table of header.tables) await readRows(table, reader.section());
    const sha256 = reader.digest();
    const trailer = await json(reader.section());
    if (!isTrailer(trailer)) throw new Error('the trailer has another format');
    if (trailer.sha256 !== undefined && trailer.sha256 !== sha256)
      throw new StartupError(
        `${file} was edited after it was made: its content does not have the digest in its trailer. Nothing was restored.`,
      );
    await reader.end();
    return { header, trailer };
  });
}

/** Reads the sections of a backup one after the other. */
class SectionReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private unread: Buffer = Buffer.alloc(0);
  private readonly hash = createHash('sha256');

  constructor(content: AsyncIterable<Buffer>) {
    this.chunks = content[Symbol.asyncIterator]();
  }

  /** The next section. It must be read to its end before the section that follows. */
  async *section(): AsyncGenerator<Buffer> {
    let end: number;
    while ((end = this.unread.indexOf(SECTION_END)) < 0) {
      this.hash.update(this.unread);
      yield this.unread;
      const chunk = await this.chunks.next();
      if (chunk.done) throw new Error('the file ends within a section');
      this.unread = chunk.value;
    }
    const last = this.unread.subarray(0, end);
    this.hash.update(last).update(SECTION_END);
    this.unread = this.unread.subarray(end + SECTION_END.length);
    yield last;
  }

  /** The SHA-256 of the sections that have been read. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  /** Reaches the end of the file, where gzip compares its checksum. */
  async end(): Promise<void> {
    if (this.unread.length > 0 || !(await this.chunks.next()).done)
      throw new Error('the file continues after the trailer');
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A file of this format with the right checksum was written by `backUp`, with all members. */
const isHeader = (value: unknown): value is BackupHeader =>
  isObject(value) && 'format' in value && value.format === FORMAT;

/** The error for a backup in another format of Muster. */
function otherFormat(header: unknown): StartupError | undefined {
  if (!isObject(header) || !('format' in header) || !/^muster-backup-\d+$/.test(String(header.format)))
    return;
  const version = 'muster' in header ? ` (${String(header.muster)})` : '';
  return new StartupError(
    `The backup has the format ${String(header.format)}, and this version reads ${FORMAT}: restore it with the version of Muster that made it${version}. Nothing was restored.`,
  );
}

const isTrailer = (value: unknown): value is BackupTrailer =>
  isObject(value) && 'rows' in value && 'sequences' in value;

/**
 * Converts an error of the database or the operating system to a one-line message. Other errors are returned unchanged.
 * @param outcome what the failure means for the caller
 */
export function explainFailure(error: unknown, outcome: string): unknown {
  if (!isNativeError(error) || error instanceof StartupError) return error;
  if (!postgresError(error) && !isDatabaseUnavailable(error) && !('syscall' in error)) return error;
  return new StartupError(`${outcome}: ${error.message}.`, { cause: error });
}
