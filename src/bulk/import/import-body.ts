import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { InventoryError } from '../../core/errors/inventory-error';
import { requestState } from '../../http/request-state';
import { jsonLines, tableLines, type BodyLine } from './body-lines';
import { Gone } from './client-disconnected';

/** The media types of NDJSON. */
export const LINES = 'application/x-ndjson';
const NDJSON_TYPES = [LINES, 'application/jsonl', 'application/ndjson'];
export const TABLE = 'text/csv';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads the lines of a request body as they arrive.
 * @param limit the maximum size of the decompressed body, in bytes
 * @throws InventoryError 400, 413, 415; at once, or while the body is read
 */
export function bodyLines(request: Request, limit: number): AsyncGenerator<BodyLine[]> {
  const readLines = selectReader(request);
  assertUtf8(request);
  return readLines(readDecompressed(request, selectDecoder(request), limit));
}

function selectReader(request: Request): typeof jsonLines {
  if (request.is(NDJSON_TYPES) !== false) return jsonLines;
  if (request.is(TABLE) !== false) return tableLines;
  const types = `${LINES} or ${TABLE}`;
  throw new InventoryError('unsupported_media_type', `The body must be ${types}.`, [
    { field: 'Content-Type', message: `must be ${types}` },
  ]);
}

function assertUtf8(request: Request): void {
  const charset = /charset="?([^";\s]+)/i.exec(request.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new InventoryError('unsupported_media_type', 'The body must be encoded in UTF-8.');
}

/** The decoder of the content encoding; undefined if the body is not encoded. @throws InventoryError 415 */
function selectDecoder(request: Request): (() => Transform) | undefined {
  const encoding = (request.get('content-encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity') return undefined;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder) return decoder;
  throw new InventoryError('unsupported_media_type', 'The encoding of the body is not supported.');
}

function decompress(request: Request, decoder: Transform): AsyncIterable<Buffer> {
  // Errors of the request reach the consumer of the decoder.
  request.on('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}

async function* readDecompressed(
  request: Request,
  decoder: (() => Transform) | undefined,
  limit: number,
): AsyncGenerator<Buffer> {
  if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // The decoder is created here, because an earlier error would have no handler.
    const source: AsyncIterable<Buffer> = decoder ? decompress(request, decoder()) : request;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (isDecompressionError(error))
      throw new InventoryError('invalid_request', 'The body is not what its Content-Encoding says.');
    // Any other error means that the client disconnected.
    throw error instanceof InventoryError || request.complete ? error : new Gone();
  }
  requestState(request).bodyText = hash.digest('hex');
}

const tooLarge = (limit: number): InventoryError =>
  new InventoryError(
    'payload_too_large',
    `The body is larger than the maximum of ${String(limit)} bytes (IMPORT_LIMIT_BYTES).`,
  );

const isDecompressionError = (error: unknown): boolean =>
  // `instanceof` fails under a test runner, where errors of Node belong to another realm.
  isNativeError(error) && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(String(error.code));
