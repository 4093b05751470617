import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { InventoryError } from '../../core/errors/inventory-error';
import { noteBody } from '../../http/request-body';
import { jsonLines, tableLines, type BodyLine } from './body-lines';
import { Gone } from './client-disconnected';

/** The media types of lines of JSON, and that of a table. */
export const LINES = 'application/x-ndjson';
const LINE_TYPES = [LINES, 'application/jsonl', 'application/ndjson'];
export const TABLE = 'text/csv';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The lines of a request's body, as they come.
 * @param limit in bytes, as they are after decompression
 * @throws InventoryError 400, 413, 415; at the beginning, or where it is found out
 */
export function bodyLines(request: Request, limit: number): AsyncGenerator<BodyLine[]> {
  const read = readerOf(request);
  requireUtf8(request);
  return read(withinLimit(request, decoderOf(request), limit));
}

function readerOf(request: Request): typeof jsonLines {
  if (request.is(LINE_TYPES) !== false) return jsonLines;
  if (request.is(TABLE) !== false) return tableLines;
  const types = `${LINES} or ${TABLE}`;
  throw new InventoryError('unsupported_media_type', `The body must be ${types}.`, [
    { field: 'Content-Type', message: `must be ${types}` },
  ]);
}

function requireUtf8(request: Request): void {
  const charset = /charset="?([^";\s]+)/i.exec(request.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new InventoryError('unsupported_media_type', 'The body must be encoded in UTF-8.');
}

/** What undoes a body's encoding; undefined for one that has none. @throws InventoryError 415 */
function decoderOf(request: Request): (() => Transform) | undefined {
  const encoding = (request.get('content-encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity') return undefined;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder) return decoder;
  throw new InventoryError('unsupported_media_type', 'The encoding of the body is not supported.');
}

function decoded(request: Request, decoder: Transform): AsyncIterable<Buffer> {
  // What goes wrong on the way reaches whoever reads what is decoded.
  request.on('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

async function* withinLimit(
  request: Request,
  decoder: (() => Transform) | undefined,
  limit: number,
): AsyncGenerator<Buffer> {
  if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // Not before it is read: nobody would hear what goes wrong.
    const source: AsyncIterable<Buffer> = decoder ? decoded(request, decoder()) : request;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (isOfDecompression(error))
      throw new InventoryError('invalid_request', 'The body is not what its Content-Encoding says.');
    // What else can go wrong here is that the rest does not come.
    throw error instanceof InventoryError || request.complete ? error : new Gone();
  }
  noteBody(request, hash.digest('hex'));
}

const tooLarge = (limit: number): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The body has more than ${String(limit)} bytes (IMPORT_LIMIT_BYTES).`,
  );

const isOfDecompression = (error: unknown): boolean =>
  // Not `instanceof`: it comes from node itself, which under a test runner has an Error of its own.
  isNativeError(error) && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(String(error.code));
