import { isUtf8 } from 'node:buffer';
import { InventoryError } from '../../core/errors/inventory-error';
import { csvLines } from '../csv/csv-lines';
import { deviceColumns } from '../csv/device-columns';

/** One line of what is imported. */
export interface BodyLine {
  /** Of the body, from 1 on. */
  readonly line: number;
  /** JSON text without line breaks, or what keeps the line from being read. */
  readonly read: string | InventoryError;
}

/** In bytes. A resource's variables take 1 MiB at most, which escapes can make several times as long. */
const LONGEST_LINE = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** The lines of NDJSON, as they come; empty ones are passed over. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  const begun = new BegunLine();
  let line = 1;
  for await (const part of bytes) {
    const lines: BodyLine[] = [];
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let at = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, at)) {
      lines.push(...readLine(line++, begun.endedBy(chunk.subarray(at, end))));
      at = end + 1;
    }
    begun.add(chunk.subarray(at));
    yield lines;
  }
  yield readLine(line, begun.endedBy(Buffer.alloc(0)));
}

/** The part of a line that has come. Of one that is too long no more is kept than that it is. */
class BegunLine {
  private parts: Buffer[] = [];
  private length = 0;

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > LONGEST_LINE) this.parts = [];
    // A copy: a chunk would be kept as a whole for the sake of its last bytes.
    else if (part.length > 0) this.parts.push(Buffer.from(part));
  }

  /** @returns the whole line; undefined if it is too long */
  endedBy(rest: Buffer): Buffer | undefined {
    if (this.length === 0) return rest.length > LONGEST_LINE ? undefined : rest;
    this.add(rest);
    const whole = this.length > LONGEST_LINE ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return whole;
  }
}

function readLine(line: number, bytes: Buffer | undefined): BodyLine[] {
  if (!bytes) return [{ line, read: tooLong() }];
  if (!isUtf8(bytes))
    return [{ line, read: new InventoryError('invalid_request', 'The line is not valid UTF-8.') }];
  const text = bytes.toString('utf8');
  const read = line === 1 ? text.replace(/^\uFEFF/, '') : text;
  return read.trim() === '' ? [] : [{ line, read }];
}

const tooLong = (): InventoryError =>
  new InventoryError('payload_too_large', `A line has at most ${String(LONGEST_LINE)} bytes.`);

/** So many records of a table are taken at a time. */
const TOGETHER = 100;

/** The records of a table of devices. */
export async function* tableLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  let lines: BodyLine[] = [];
  for await (const { line, read } of csvLines(bytes, deviceColumns)) {
    // Between the tokens of JSON that stands in a cell; within a string there is none.
    lines.push({ line, read: typeof read === 'string' ? read.replaceAll(/[\r\n]/g, ' ') : read });
    if (lines.length < TOGETHER) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}
