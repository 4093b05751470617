import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  type ReadStream,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { usage } from '../../cli-error';
import {
  type FileFormat,
  type FileKind,
  kindOfFile,
  STANDARD,
  titleOf,
  unreadable,
  unwritable,
  utf8Text,
} from '../../files/file-access';
import { jsonItems, requireObject } from '../../files/json-items';
import { lineEnds, physicalLines, tableRecords } from '../../files/lines';
import { yamlItems } from '../../files/yaml-items';
import { type Piece, Places, type Source } from './source';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How files are taken. */
interface TakenAs {
  readonly format: FileFormat | undefined;
  /** Whether lines are told apart, because not all go at once. */
  readonly inParts: boolean;
  /** Whether lines that are no JSON are for the service to tell, which imports the others. */
  readonly partial: boolean;
  /** Whether everything is read twice: then a copy is kept of what can be read only once. */
  readonly isReadTwice: boolean;
}

interface OneFile extends FileKind {
  readonly file: string;
  readonly size: number | undefined;
}

const LINE_FEED = 0x0a;

/** Files of an inventory, one after the other. */
export class FileSource implements Source {
  readonly type: Source['type'];
  readonly encoding?: 'gzip';
  readonly isTable: boolean;
  readonly size: number | undefined;
  read = 0;
  places = new Places();
  private readonly files: readonly OneFile[];
  private readonly opened = new Set<Readable>();
  private readonly copies = new Map<string, InputCopy>();

  /** @throws Failure for files that are not there, or do not go together */
  constructor(
    names: readonly string[],
    private readonly as: TakenAs,
  ) {
    this.files = names.map((file) => ({ file, size: sizeOf(file), ...kindOfFile(file, as.format) }));
    const [first, second] = this.files;
    if (!first) throw usage('There is no file to import.');
    this.isTable = first.format === 'csv';
    if (second && this.files.some(({ format }) => format === 'csv'))
      throw usage('A table is imported by itself: what else there is, by another import.');
    if (names.filter((file) => file === STANDARD).length > 1)
      throw usage('The standard input can be read once.');
    this.type = this.isTable ? 'text/csv' : 'application/x-ndjson';
    if (this.isSentAsItIs(first)) this.encoding = 'gzip';
    const sizes = this.files.map(({ size }) => size);
    this.size = sizes.every((size) => size !== undefined)
      ? sizes.reduce((sum, size) => sum + size, 0)
      : undefined;
  }

  async *pieces(): AsyncGenerator<Piece[]> {
    this.read = 0;
    this.places = new Places();
    for (const one of this.files) {
      const title = titleOf(one.file);
      const unit = one.format === 'json' || one.format === 'yaml' ? 'item' : 'line';
      this.places.begin((nth) => ({ file: title, [unit]: nth }));
      for await (const pieces of this.piecesOf(one, title)) {
        for (const { lines } of pieces) this.places.count(lines);
        yield pieces;
      }
    }
  }

  close(): void {
    for (const stream of this.opened) stream.destroy();
    for (const copy of this.copies.values()) copy.close();
    this.copies.clear();
  }

  /** What is compressed, and need not be looked into, stays compressed. */
  private isSentAsItIs({ gzip, format }: OneFile): boolean {
    return gzip && !this.as.inParts && this.files.length === 1 && (format === 'ndjson' || format === 'csv');
  }

  private piecesOf(one: OneFile, title: string): AsyncGenerator<Piece[]> {
    if (this.isSentAsItIs(one)) return asTheyAre(this.bytes(one, false));
    const bytes = this.bytes(one, one.gzip);
    switch (one.format) {
      case 'csv':
        return this.as.inParts ? records(bytes) : asTheyAre(bytes);
      case 'json':
        return asLines(jsonItems(bytes, title));
      case 'yaml':
        return asLines(yamlItems(bytes, title));
      case 'ndjson':
        return checkedLines(bytes, title, this.as.partial);
    }
  }

  private async *bytes(one: OneFile, isCompressed: boolean): AsyncGenerator<Buffer> {
    const { file } = one;
    const stream = this.open(one);
    this.opened.add(stream);
    stream.on('data', (chunk: Buffer) => {
      this.read += chunk.length;
    });
    try {
      if (!isCompressed) {
        for await (const chunk of stream) yield chunk as Buffer;
        return;
      }
      const plain = createGunzip();
      this.opened.add(plain);
      stream.on('error', (error: Error) => plain.destroy(error));
      for await (const chunk of stream.pipe(plain)) yield chunk as Buffer;
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  /** What has no size (a pipe, standard input) can be read only once. */
  private open({ file, size }: OneFile): ReadStream | NodeJS.ReadStream {
    const copied = this.copies.get(file);
    if (copied) {
      this.copies.delete(file);
      return copied.read();
    }
    const stream = file === STANDARD ? process.stdin : createReadStream(file);
    // Before the copy is made: where that fails, close() still destroys the stream.
    this.opened.add(stream);
    if (size === undefined && this.as.isReadTwice) this.copies.set(file, InputCopy.of(stream));
    return stream;
  }
}

function sizeOf(file: string): number | undefined {
  if (file === STANDARD) return undefined;
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw usage(`${file} is a folder.`);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function* asTheyAre(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece[]> {
  for await (const chunk of bytes) yield [{ bytes: chunk, lines: lineEnds(chunk) }];
}

async function* asLines(items: AsyncIterable<string[]>): AsyncGenerator<Piece[]> {
  for await (const some of items) yield some.map((item) => ({ bytes: Buffer.from(`${item}\n`), lines: 1 }));
}

async function* records(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece[]> {
  for await (const some of tableRecords(bytes))
    yield some.map((record) => {
      const bytes = ended(record);
      return { bytes, lines: lineEnds(bytes) };
    });
}

async function* checkedLines(
  bytes: AsyncIterable<Buffer>,
  title: string,
  partial: boolean,
): AsyncGenerator<Piece[]> {
  let line = 0;
  for await (const some of physicalLines(bytes))
    yield some.map((one) => {
      const at = { line: ++line, column: 1 };
      if (!partial) {
        const text = utf8Text(one, title, at);
        const content = line === 1 ? text.replace(/^\uFEFF/, '') : text;
        if (content.trim() !== '') requireObject(content, title, at);
      }
      return { bytes: ended(one), lines: 1 };
    });
}

/** The last line of a file may have no end, and another file may follow. */
const ended = (line: Buffer): Buffer =>
  line.at(-1) === LINE_FEED ? line : Buffer.concat([line, Buffer.from([LINE_FEED])]);

/** A temporary file with a copy of a stream. It has no name, so nothing is left of it when the process ends. */
class InputCopy {
  private constructor(private readonly descriptor: number) {}

  /** Copies what others read from the stream. A copy that cannot be written destroys the stream with a Failure. */
  static of(stream: Readable): InputCopy {
    const folder = tmpdir();
    let own: string | undefined;
    try {
      own = mkdtempSync(join(folder, 'muster-input-'));
      const descriptor = openSync(join(own, 'copy'), 'wx+', 0o600);
      stream.on('data', (chunk: Buffer) => {
        try {
          writeFileSync(descriptor, chunk);
        } catch (error) {
          stream.destroy(unwritable(folder, error));
        }
      });
      return new InputCopy(descriptor);
    } catch (error) {
      throw unwritable(folder, error);
    } finally {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    }
  }

  /** Reads the copy from its beginning, once: the end of the stream closes the copy. */
  read(): ReadStream {
    return createReadStream('', { fd: this.descriptor, start: 0 });
  }

  /** Closes a copy that was not read. */
  close(): void {
    closeSync(this.descriptor);
  }
}
