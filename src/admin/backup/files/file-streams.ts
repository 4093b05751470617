import type { FileHandle } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';

/** In bytes. */
const CHUNK = 256 * 1024;

/*
 * Node's own streams on a handle hold it or close it, as they end or break off. Whoever has opened the file reads it
 * again, or removes it, and then closes it.
 */

/** A file from its beginning. */
export const readerOf = (file: FileHandle): Readable => Readable.from(chunksOf(file), { objectMode: false });

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(CHUNK), position: at });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Writes to where a file is. */
export const writerTo = (file: FileHandle): Writable =>
  new Writable({
    highWaterMark: CHUNK,
    write: (chunk: Buffer, _, done) => {
      writeAll(file, chunk).then(() => {
        done();
      }, done);
    },
  });

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
}
