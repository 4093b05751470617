import { isUtf8 } from 'node:buffer';
import { InventoryError } from '../../core/errors/inventory-error';
import { csvLines } from '../csv/csv-lines';
import { deviceColumns } from '../csv/device-columns';

/** A line of the request body. */
export interface BodyLine {
  /** The line number in the body. The first line is 1. */
  readonly line: number;
  /** JSON text without line breaks, or the error of an unreadable line. */
  readonly read: string | InventoryError;
}

/** In bytes. The variables of a resource have at most 1 MiB, and escape sequences can multiply that. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Reads the lines of NDJSON as they arrive. Empty lines are skipped. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  const partial = new PartialLine();
  let line = 1;
  for await (const data of bytes) {
    const lines: BodyLine[] = [];
    const chunk = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(...readLine(line++, partial.complete(chunk.subarray(start, end))));
      start = end + 1;
    }
    partial.add(chunk.subarray(start));
    yield lines;
  }
  yield readLine(line, partial.complete(Buffer.alloc(0)));
}

/** The received part of a line. The content of a line that is too long is discarded. */
class PartialLine {
  private parts: Buffer[] = [];
  private length = 0;

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > MAX_LINE_LENGTH) this.parts = [];
    // A copy, because a slice would keep the whole chunk in memory.
    else if (part.length > 0) this.parts.push(Buffer.from(part));
  }

  /** @returns the whole line, or undefined if it is too long */
  complete(rest: Buffer): Buffer | undefined {
    if (this.length === 0) return rest.length > MAX_LINE_LENGTH ? undefined : rest;
    this.add(rest);
    const whole = this.length > MAX_LINE_LENGTH ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return whole;
  }
}

function readLine(line: number, bytes: Buffer | undefined): BodyLine[] {
  if (!bytes) return [{ line, read: lineTooLong() }];
  if (!isUtf8(bytes))
    return [{ line, read: new InventoryError('invalid_request', 'The line is not valid UTF-8.') }];
  const text = bytes.toString('utf8');
  const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
  return json.trim() === '' ? [] : [{ line, read: json }];
}

const lineTooLong = (): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The line is longer than the maximum of ${String(MAX_LINE_LENGTH)} bytes.`,
  );

/** The number of CSV records in a batch. */
const CSV_BATCH_SIZE = 100;

/** Reads the records of a CSV file of devices. */
export async function* tableLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  let lines: BodyLine[] = [];
  for await (const { line, read: content } of csvLines(bytes, deviceColumns)) {
    // A line break can only occur between the tokens of a JSON cell, never inside a string.
    lines.push({ line, read: typeof content === 'string' ? content.replaceAll(/[\r\n]/g, ' ') : content });
    if (lines.length < CSV_BATCH_SIZE) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}
