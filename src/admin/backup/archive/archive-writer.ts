import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { ContentHash, END, MANIFEST, pieceName, type End, type Manifest } from './archive-format';

/** In bytes: a table is written in pieces of this size, which are all of it that is in memory. */
const PIECE = 1024 * 1024;

/** Most of what zlib can save, in a third of the time that its usual level takes. */
const LEVEL = 3;

/** Writes an archive, file by file, as fast as the sink takes it. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly hash = new ContentHash();
  private readonly counter = new PassThrough();
  private readonly written: Promise<void>;
  /** In bytes, as far as it was written. */
  length = 0;

  /**
   * @param sink is ended, or destroyed if it cannot be written
   * @param interrupted ends the writing
   */
  constructor(sink: Writable, interrupted: AbortSignal) {
    this.counter.on('data', ({ length }: Buffer) => (this.length += length));
    this.written = pipeline(this.tar, createGzip({ level: LEVEL }), this.counter, sink, {
      signal: interrupted,
    });
    // Told to whoever writes next.
    this.written.catch(() => undefined);
  }

  async begin(manifest: Manifest): Promise<void> {
    await this.add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)));
  }

  /** Writes what COPY gives of a table. */
  async table(name: string, rows: AsyncIterable<Buffer>): Promise<void> {
    let gathered: Buffer[] = [];
    let length = 0;
    let pieces = 0;
    const flush = async () => {
      if (length > 0) await this.add(pieceName(name, ++pieces), Buffer.concat(gathered));
      gathered = [];
      length = 0;
    };
    for await (const chunk of rows) {
      gathered.push(chunk);
      length += chunk.length;
      if (length >= PIECE) await flush();
    }
    await flush();
  }

  /** Ends the archive, and waits until the sink has all of it. */
  async end(end: Omit<End, 'sha256'>): Promise<void> {
    await this.add(END, Buffer.from(JSON.stringify({ ...end, sha256: this.hash.hex() }, null, 2)));
    this.tar.finalize();
    await this.written;
  }

  /** Gives up, and waits until nothing is written any more. */
  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
  }

  private async add(name: string, content: Buffer): Promise<void> {
    if (name !== END) {
      this.hash.begin(name, content.length);
      this.hash.add(content);
    }
    const header = { name, mode: 0o600, mtime: new Date() };
    const taken = new Promise<void>((resolve, reject) => {
      this.tar.entry(header, content, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    // A sink that fails ends the archive: its error is the one that says why.
    await Promise.race([
      this.written,
      taken.catch((error: unknown) => this.written.then(() => rethrow(error))),
    ]);
  }
}

function rethrow(error: unknown): never {
  throw error;
}
