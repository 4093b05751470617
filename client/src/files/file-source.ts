import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  type ReadStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { usageError } from '../cli-error';
import { SourcePositions, type ImportSource, type SourcePiece } from './source';
import {
  detectFileKind,
  displayFileName,
  fileReadError,
  fileWriteError,
  STDIO,
  type FileFormat,
  type FileKind,
} from './file-access';
import { readJsonItems } from './json-items';
import { countLines, splitCsvRecords, splitLines } from './split-lines';
import { readYamlItems } from './yaml-items';
import type { YamlVersion } from './yaml-scalars';

interface FileSourceOptions {
  readonly format: FileFormat | undefined;
  /** The formats that messages suggest; by default all. */
  readonly formats?: readonly FileFormat[];
  /** The version of YAML files. */
  readonly yaml: YamlVersion | undefined;
  /** Whether the file is split into records, for batches. */
  readonly inParts: boolean;
  /** Whether a JSON file can be one object of any size, which is limited by the service only. */
  readonly isOneDocument?: true;
  /** Whether the source is read twice: then pipes and standard input are copied. */
  readonly isReadTwice: boolean;
}

interface SourceFile extends FileKind {
  readonly file: string;
  readonly size: number | undefined;
}

const LINE_FEED = 0x0a;
/** The service accepts lines of 4 MiB. Spaces and escapes can make an item of a JSON file longer than its line. */
const MAX_ITEM_BYTES = 8 * 1024 * 1024;

/** Reads files one after the other. */
export class FileSource implements ImportSource {
  readonly type: ImportSource['type'];
  readonly encoding?: 'gzip';
  readonly isCsv: boolean;
  readonly size: number | undefined;
  bytesRead = 0;
  positions = new SourcePositions();
  private readonly files: readonly SourceFile[];
  private readonly opened = new Set<Readable>();
  private readonly copies = new Map<string, InputCopy>();

  /** @throws CliError for missing files, or files that cannot be combined */
  constructor(
    names: readonly string[],
    private readonly options: FileSourceOptions,
  ) {
    this.files = names.map((file) => ({
      file,
      size: fileSize(file),
      ...detectFileKind(file, options.format, options.formats),
    }));
    const [first, second] = this.files;
    if (!first) throw usageError('No file to import.');
    this.isCsv = first.format === 'csv';
    if (second && this.files.some(({ format }) => format === 'csv'))
      throw usageError('A CSV file cannot be combined with other files: import it separately.');
    if (options.yaml !== undefined && this.files.every(({ format }) => format !== 'yaml'))
      throw usageError('--yaml is only for YAML files.');
    if (names.filter((file) => file === STDIO).length > 1)
      throw usageError('Standard input can be read only once.');
    this.type = this.isCsv ? 'text/csv' : 'application/x-ndjson';
    if (this.isSentUnchanged(first)) this.encoding = 'gzip';
    const sizes = this.files.map(({ size }) => size);
    this.size = sizes.every((size) => size !== undefined)
      ? sizes.reduce((sum, size) => sum + size, 0)
      : undefined;
  }

  async *pieces(): AsyncGenerator<SourcePiece[]> {
    this.bytesRead = 0;
    this.positions = new SourcePositions();
    for (const file of this.files) {
      const title = displayFileName(file.file);
      const unit = file.format === 'json' || file.format === 'yaml' ? 'item' : 'line';
      this.positions.beginSection((nth) => ({ file: title, [unit]: nth }));
      for await (const pieces of this.piecesOf(file, title)) {
        for (const { lines } of pieces) this.positions.addLines(lines);
        yield pieces;
      }
    }
  }

  close(): void {
    for (const stream of this.opened) stream.destroy();
    for (const copy of this.copies.values()) copy.close();
    this.copies.clear();
  }

  /** Whether a compressed file can be sent unchanged. */
  private isSentUnchanged({ gzip, format }: SourceFile): boolean {
    return (
      gzip && !this.options.inParts && this.files.length === 1 && (format === 'ndjson' || format === 'csv')
    );
  }

  private piecesOf(file: SourceFile, title: string): AsyncGenerator<SourcePiece[]> {
    if (this.isSentUnchanged(file)) return unchangedPieces(this.readFile(file, false));
    const bytes = this.readFile(file, file.gzip);
    switch (file.format) {
      case 'csv':
        return this.options.inParts ? csvPieces(bytes) : unchangedPieces(bytes);
      case 'json':
        return itemPieces(
          readJsonItems(bytes, title, this.options.isOneDocument ? Infinity : MAX_ITEM_BYTES),
        );
      case 'yaml':
        return itemPieces(readYamlItems(bytes, title, this.options.yaml));
      case 'ndjson':
        return linePieces(bytes);
    }
  }

  private async *readFile(one: SourceFile, isCompressed: boolean): AsyncGenerator<Buffer> {
    const { file } = one;
    const stream = this.open(one);
    this.opened.add(stream);
    stream.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
    });
    try {
      if (!isCompressed) {
        for await (const chunk of stream) yield chunk as Buffer;
        return;
      }
      const gunzip = createGunzip();
      this.opened.add(gunzip);
      stream.on('error', (error: Error) => gunzip.destroy(error));
      for await (const chunk of stream.pipe(gunzip)) yield chunk as Buffer;
    } catch (error) {
      throw fileReadError(file, error);
    }
  }

  /** Opens a file. Pipes and standard input, which have no size, can be read only once. */
  private open({ file, size }: SourceFile): ReadStream | NodeJS.ReadStream {
    const copied = this.copies.get(file);
    if (copied) {
      this.copies.delete(file);
      return copied.read();
    }
    const stream = file === STDIO ? process.stdin : createReadStream(file);
    // Before the copy, so that close() destroys the stream if the copy fails.
    this.opened.add(stream);
    if (size === undefined && this.options.isReadTwice) this.copies.set(file, InputCopy.of(stream));
    return stream;
  }
}

function fileSize(file: string): number | undefined {
  if (file === STDIO) return undefined;
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw usageError(`${file} is a folder: name the files in it.`);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    throw fileReadError(file, error);
  }
}

async function* unchangedPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourcePiece[]> {
  for await (const chunk of bytes) yield [{ bytes: chunk, lines: countLines(chunk) }];
}

async function* itemPieces(items: AsyncIterable<string[]>): AsyncGenerator<SourcePiece[]> {
  for await (const some of items) yield some.map((item) => ({ bytes: Buffer.from(`${item}\n`), lines: 1 }));
}

async function* csvPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourcePiece[]> {
  for await (const some of splitCsvRecords(bytes))
    yield some.map((record) => {
      const bytes = withLineEnd(record);
      return { bytes, lines: countLines(bytes) };
    });
}

/** Invalid lines are sent, too: the service reports them together with all other faulty lines. */
async function* linePieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourcePiece[]> {
  for await (const lines of splitLines(bytes))
    yield lines.map((line) => ({ bytes: withLineEnd(line), lines: 1 }));
}

/** Adds a missing line end to the last line of a file: another file may follow. */
const withLineEnd = (line: Buffer): Buffer =>
  line.at(-1) === LINE_FEED ? line : Buffer.concat([line, Buffer.from([LINE_FEED])]);

/** A copy of a stream in an unlinked temporary file, which disappears when the process ends. */
class InputCopy {
  private constructor(private readonly descriptor: number) {}

  /** Copies what others read from the stream. A copy that cannot be written destroys the stream with a CliError. */
  static of(stream: Readable): InputCopy {
    const folder = tmpdir();
    let temporaryFolder: string | undefined;
    try {
      temporaryFolder = mkdtempSync(join(folder, 'muster-input-'));
      const descriptor = openSync(join(temporaryFolder, 'copy'), 'wx+', 0o600);
      stream.on('data', (chunk: Buffer) => {
        try {
          writeFileSync(descriptor, chunk);
        } catch (error) {
          stream.destroy(fileWriteError(folder, error));
        }
      });
      return new InputCopy(descriptor);
    } catch (error) {
      throw fileWriteError(folder, error);
    } finally {
      if (temporaryFolder !== undefined) rmSync(temporaryFolder, { recursive: true, force: true });
    }
  }

  /** Reads the copy once. The end of the stream closes the copy. */
  read(): ReadStream {
    return createReadStream('', { fd: this.descriptor, start: 0 });
  }

  /** Closes a copy that was not read. */
  close(): void {
    closeSync(this.descriptor);
  }
}
