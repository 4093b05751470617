import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import type { Zlib } from 'node:zlib';
import { isNativeError } from 'node:util/types';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { assertLineCount } from '../line-count';
import { InventoryError } from '../../core/errors';
import { requestState } from '../../http/request-state';
import { isUtf8 } from 'node:buffer';
import { type CsvRecord, readCsv } from '../csv/csv-reader';
import { deviceKinds } from '../../devices/device-kinds';
import { importColumns } from '../csv/csv-columns';
import { lineMembersOf } from '../line-members';
import { MAX_AFFECTED_DEVICES } from '../../changes/large-change';
import { PREVIEW_PARAMETERS } from '../../http/dry-run';
import { parseBooleanValue } from '../../lists/list-filter';
import { parameterReader, type QueryParameters } from '../../core/parameters';

/** The client of an import disconnected before the import was committed. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('the client of an import disconnected');
  }
}

/** The columns that an imported CSV file of devices can have. It can contain devices of all kinds. */
const deviceColumns = importColumns(deviceKinds.flatMap(({ entity }) => lineMembersOf(entity)));

/** A line of the request body. */
export interface BodyLine {
  /** The line number in the body. The first line is 1. */
  readonly line: number;
  /** JSON text without line breaks, or the error of an unreadable line. */
  readonly content: string | InventoryError;
  /** What a record of a table says in addition to its line. */
  readonly record?: Pick<CsvRecord, 'unsetKeys' | 'invalidJsonKeys' | 'columns'>;
}

/** In bytes. The variables of a resource have at most 1 MiB, and escape sequences can multiply that. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/**
 * How many times larger than what was received a decompressed body may be, so that a few bytes cannot make much work.
 * Inventories shrink to a tenth or a fiftieth. Up to `MIN_CHECKED_BYTES` every ratio is allowed.
 */
const MAX_RATIO = 200;
const MIN_CHECKED_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Reads the lines of NDJSON as they arrive. Empty lines are skipped. */
async function* readNdjsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  const partial = new PartialLine();
  let line = 1;
  for await (const data of bytes) {
    const lines: BodyLine[] = [];
    const chunk = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(...readLine(line++, partial.complete(chunk.subarray(start, end))));
      assertLineCount(line);
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
  if (!bytes) return [{ line, content: lineTooLong() }];
  if (!isUtf8(bytes))
    return [{ line, content: new InventoryError('invalid_request', 'The line is not valid UTF-8.') }];
  const text = bytes.toString('utf8');
  const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
  return json.trim() === '' ? [] : [{ line, content: json }];
}

const lineTooLong = (): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The line is longer than the maximum of ${String(MAX_LINE_LENGTH)} bytes.`,
  );

/** The number of CSV records in a chunk. */
const CSV_CHUNK_SIZE = 100;

/** Reads the records of a CSV file of devices. */
async function* readCsvLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine[]> {
  let lines: BodyLine[] = [];
  for await (const { line, content, ...record } of readCsv(bytes, deviceColumns)) {
    lines.push({
      line,
      // A line break can only occur between the tokens of a JSON cell, never inside a string.
      content: typeof content === 'string' ? content.replaceAll(/[\r\n]/g, ' ') : content,
      record,
    });
    if (lines.length < CSV_CHUNK_SIZE) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

/** The media types of NDJSON. */
export const NDJSON_TYPE = 'application/x-ndjson';
const NDJSON_TYPES = [NDJSON_TYPE, 'application/jsonl', 'application/ndjson'];
export const CSV_TYPE = 'text/csv';

type Decoder = Transform & Zlib;

const DECODERS: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads the lines of a request body as they arrive.
 * @param limit the maximum size of the decompressed body, in bytes
 * @throws InventoryError 400, 413, 415; at once, or while the body is read. 413 also for too many lines, and for a body
 *   that is compressed too much
 */
export function readBodyLines(request: Request, limit: number): AsyncGenerator<BodyLine[]> {
  const readLines = selectReader(request);
  assertUtf8(request);
  return readLines(readDecompressed(request, selectDecoder(request), limit));
}

/** Reads the whole body of an operation of a proposal. */
export async function readOperationBody(request: Request): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

function selectReader(request: Request): typeof readNdjsonLines {
  if (request.is(NDJSON_TYPES) !== false) return readNdjsonLines;
  if (request.is(CSV_TYPE) !== false) return readCsvLines;
  const types = `${NDJSON_TYPE} or ${CSV_TYPE}`;
  throw new InventoryError('unsupported_media_type', `The body must be ${types}.`, [
    { field: 'Content-Type', code: 'invalid_value', message: `must be ${types}` },
  ]);
}

function assertUtf8(request: Request): void {
  const charset = /charset="?([^";\s]+)/i.exec(request.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new InventoryError('unsupported_media_type', 'The body must be encoded in UTF-8.');
}

/** The decoder of the content encoding; undefined if the body is not encoded. @throws InventoryError 415 */
function selectDecoder(request: Request): (() => Decoder) | undefined {
  const encoding = (request.get('content-encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity') return undefined;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder) return decoder;
  throw new InventoryError('unsupported_media_type', 'The encoding of the body is not supported.');
}

function decompress(request: Request, decoder: Decoder): AsyncIterable<Buffer> {
  // Errors of the request reach the consumer of the decoder.
  request.on('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

async function* readDecompressed(
  request: Request,
  createDecoder: (() => Decoder) | undefined,
  limit: number,
): AsyncGenerator<Buffer> {
  if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // The decoder is created here, because an earlier error would have no handler.
    const decoder = createDecoder?.();
    // An iterator that destroys the request would close the connection before the client has the response.
    const source: AsyncIterable<Buffer> = decoder
      ? decompress(request, decoder)
      : request.iterator({ destroyOnReturn: false });
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      if (decoder && bytes > MIN_CHECKED_BYTES && bytes > MAX_RATIO * decoder.bytesWritten)
        throw compressedTooMuch();
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (isDecompressionError(error))
      throw InventoryError.invalidBody('invalid_format', 'The body does not match its Content-Encoding.');
    // Any other error means that the client disconnected.
    throw error instanceof InventoryError || request.complete ? error : new ClientDisconnectedError();
  } finally {
    await discardRest(request);
  }
  requestState(request).bodyText = hash.digest('hex');
}

/** How long (ms) the rest of a rejected body is read before the response. */
const DISCARD_MS = 5_000;

/**
 * Reads and discards what is left of a body. The response to `Connection: close` closes the connection, so a client that is
 * still sending would not receive it.
 */
async function discardRest(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, DISCARD_MS);
    function done(): void {
      clearTimeout(timer);
      request.off('end', done).off('close', done);
      resolve();
    }
    request.once('end', done).once('close', done);
  });
}

const tooLarge = (limit: number): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The body is larger than the maximum of ${String(limit)} bytes (IMPORT_LIMIT_BYTES).`,
  );

const compressedTooMuch = (): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The decompressed body is more than ${String(MAX_RATIO)} times as large as the received one. Send it without Content-Encoding.`,
  );

const isDecompressionError = (error: unknown): boolean =>
  // `instanceof` fails under a test runner, where errors of Node belong to another realm.
  isNativeError(error) && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(String(error.code));

/** `all`: one failed line fails the import. `partial`: the valid lines are imported. */
export const IMPORT_MODES = ['all', 'partial'] as const;

/** How an import is processed. */
export interface ImportOptions {
  readonly mode: (typeof IMPORT_MODES)[number];
  /** The maximum number of devices whose resolved values may change. */
  readonly maxAffectedDevices: number;
  /** Whether the results of lines contain what changed. */
  readonly showsChanges: boolean;
}

/** The parameter that requests what each line changed. */
const CHANGES = 'changes';

/** @throws InventoryError 400 */
export function parseImportOptions(query: QueryParameters): ImportOptions {
  const parameter = parameterReader(query, ['mode', MAX_AFFECTED_DEVICES, CHANGES, ...PREVIEW_PARAMETERS]);
  const mode = IMPORT_MODES.find((name) => name === (parameter('mode') ?? 'all'));
  if (mode === undefined)
    throw InventoryError.invalid('mode', 'invalid_value', `must be one of ${IMPORT_MODES.join(', ')}`);
  const limit = parameter(MAX_AFFECTED_DEVICES);
  if (limit !== undefined && !/^\d{1,9}$/.test(limit))
    throw InventoryError.invalid(
      MAX_AFFECTED_DEVICES,
      'out_of_range',
      'must be an integer from 0 to 999999999',
    );
  return {
    mode,
    maxAffectedDevices: limit === undefined ? Infinity : Number(limit),
    showsChanges: parseBooleanValue(CHANGES, parameter(CHANGES) ?? 'false'),
  };
}
