import { open, type FileHandle } from 'node:fs/promises';

/** Text that is kept for a line. */
export interface Entry {
  /** Of the body. */
  readonly line: number;
  readonly text: string;
}

/** In characters: as much is gathered before it is written. */
const GATHERED = 256 * 1024;
/** In bytes: as much is read at a time. */
const READ_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;

/**
 * A file that is written to its end and then read, as often as needed: what is imported is kept outside of memory until
 * all of it is there. Nobody else may read it.
 */
export class Spool {
  private readonly gathered: string[] = [];
  private characters = 0;
  private bytes = 0;

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<Spool> {
    return new Spool(await open(path, 'wx+', 0o600));
  }

  /** @param text without line breaks. @returns where the entry begins, in bytes */
  async add(line: number, text: string): Promise<number> {
    const at = this.bytes;
    const entry = `${String(line)} ${text}\n`;
    this.gathered.push(entry);
    this.characters += entry.length;
    this.bytes += Buffer.byteLength(entry);
    if (this.characters >= GATHERED) await this.flush();
    return at;
  }

  /** Writes what is gathered: what is read from now on is complete. */
  async flush(): Promise<void> {
    const text = this.gathered.join('');
    this.gathered.length = 0;
    this.characters = 0;
    if (text !== '') await this.file.appendFile(text);
  }

  /** All entries in the order in which they were added, a few at a time. */
  async *entries(): AsyncGenerator<Entry[]> {
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
      if (end >= 0) yield chunk.toString('utf8', 0, end).split('\n').map(entryOf);
      rest = chunk.subarray(end + 1);
    }
  }

  /** The entry that begins at a place. */
  async entryAt(position: number): Promise<Entry> {
    let read = Buffer.alloc(0);
    for (let size = 4096; ; size *= 4) {
      const { buffer, bytesRead } = await this.file.read({
        buffer: Buffer.allocUnsafe(size),
        position: position + read.length,
      });
      if (bytesRead === 0) throw new Error('a spool ends within an entry');
      read = Buffer.concat([read, buffer.subarray(0, bytesRead)]);
      const end = read.indexOf(LINE_FEED);
      if (end >= 0) return entryOf(read.toString('utf8', 0, end));
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

function entryOf(entry: string): Entry {
  const at = entry.indexOf(' ');
  return { line: Number(entry.slice(0, at)), text: entry.slice(at + 1) };
}
