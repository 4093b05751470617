import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTemporaryFiles } from '../../core/temporary-files';
import type { ImportSpace } from './temporary-space';

/** The stored text of a line. */
export interface LineEntry {
  /** The line number in the body. */
  readonly line: number;
  readonly text: string;
}

/** The number of characters that are buffered before a write. */
const BUFFER_LENGTH = 256 * 1024;
const READ_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;

/**
 * A temporary file of lines. It is written completely, and then read any number of times. So an import does not hold
 * its body in memory. Its name is removed as soon as it is open: only this process can read it, and it does not outlive
 * the process.
 */
export class LineFile {
  private readonly buffer: string[] = [];
  private bufferLength = 0;
  private fileSize = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly space: ImportSpace,
  ) {}

  /** @throws InventoryError 503 if the temporary folder is full or not writable */
  static create(space: ImportSpace): Promise<LineFile> {
    return withTemporaryFiles(async () => {
      const directory = await mkdtemp(join(tmpdir(), 'muster-import-'));
      try {
        return new LineFile(await open(join(directory, 'lines'), 'wx+', 0o600), space);
      } finally {
        await rm(directory, { recursive: true });
      }
    });
  }

  /**
   * @param text without line breaks
   * @returns the position of the entry, in bytes
   * @throws InventoryError 413 if the import needs too much space, 503 if there is none
   */
  async add(line: number, text: string): Promise<number> {
    const position = this.fileSize;
    const entry = `${String(line)} ${text}\n`;
    const bytes = Buffer.byteLength(entry);
    this.space.take(bytes);
    this.buffer.push(entry);
    this.bufferLength += entry.length;
    this.fileSize += bytes;
    if (this.bufferLength >= BUFFER_LENGTH) await this.flush();
    return position;
  }

  /** Writes the buffered text, so that all entries can be read. */
  async flush(): Promise<void> {
    const text = this.buffer.join('');
    this.buffer.length = 0;
    this.bufferLength = 0;
    if (text !== '') await withTemporaryFiles(() => this.file.appendFile(text));
  }

  /** Reads all entries in the order in which they were added, in batches. */
  async *entries(): AsyncGenerator<LineEntry[]> {
    let rest = Buffer.alloc(0);
    for (let position = 0; ;) {
      const { buffer, bytesRead } = await this.file.read({
        buffer: Buffer.allocUnsafe(READ_BYTES),
        position,
      });
      if (bytesRead === 0) return;
      position += bytesRead;
      const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const end = chunk.lastIndexOf(LINE_FEED);
      if (end >= 0) yield chunk.toString('utf8', 0, end).split('\n').map(parseEntry);
      rest = chunk.subarray(end + 1);
    }
  }

  /** Reads the entry at a position that `add` returned. */
  async entryAt(position: number): Promise<LineEntry> {
    let read = Buffer.alloc(0);
    for (let size = 4096; ; size *= 4) {
      const { buffer, bytesRead } = await this.file.read({
        buffer: Buffer.allocUnsafe(size),
        position: position + read.length,
      });
      if (bytesRead === 0) throw new Error('a line file ends within an entry');
      read = Buffer.concat([read, buffer.subarray(0, bytesRead)]);
      const end = read.indexOf(LINE_FEED);
      if (end >= 0) return parseEntry(read.toString('utf8', 0, end));
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** The files of one import. */
export class LineFiles {
  private readonly files: LineFile[] = [];

  private constructor(private readonly space: ImportSpace) {}

  /** Runs work with files. They are closed if it fails; otherwise the caller closes them after reading the results. */
  static async run<T>(
    space: ImportSpace,
    work: (files: LineFiles) => Promise<T>,
  ): Promise<{ readonly result: T; readonly files: LineFiles }> {
    const files = new LineFiles(space);
    try {
      return { result: await work(files), files };
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  async create(): Promise<LineFile> {
    const file = await LineFile.create(this.space);
    this.files.push(file);
    return file;
  }

  async close(): Promise<void> {
    this.space.release();
    for (const file of this.files) await file.close();
  }
}

function parseEntry(entry: string): LineEntry {
  const separator = entry.indexOf(' ');
  return { line: Number(entry.slice(0, separator)), text: entry.slice(separator + 1) };
}

/** A resource as a line of an export, before and after the import; `before` is undefined if it was created. */
export interface ResourceSides {
  readonly before: string | undefined;
  readonly after: string;
}

/** What the lines of an import changed, in a file: both sides of a resource can have megabytes. */
export class LineChanges {
  /** The position of each line in the file, plus one. */
  private positions = new Float64Array(1024);

  constructor(private readonly file: LineFile) {}

  /** Adds what a line changed. If the import is written again, the last call counts. */
  async add(line: number, { before, after }: ResourceSides): Promise<void> {
    if (line >= this.positions.length) {
      const larger = new Float64Array(Math.max(line + 1, 2 * this.positions.length));
      larger.set(this.positions);
      this.positions = larger;
    }
    const text = `${before === undefined ? '' : `"before":${before},`}"after":${after}`;
    this.positions[line] = (await this.file.add(line, text)) + 1;
  }

  /** Makes all changes readable. */
  async flush(): Promise<void> {
    await this.file.flush();
  }

  /** The members `before` and `after` of the result of a line, as JSON text; undefined if it changed nothing. */
  async membersOf(line: number): Promise<string | undefined> {
    const position = this.positions[line] ?? 0;
    return position === 0 ? undefined : (await this.file.entryAt(position - 1)).text;
  }
}
