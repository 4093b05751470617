import { applyDecorators, Header } from '@nestjs/common';
import { pipeline, type Transform, type Writable } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import type { Response } from 'express';
import { codedTag } from './entity-tag';

/** The codings that the service uses, in its own order of preference. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * Fast levels: the process that compresses is the one that responds. Higher ones make a list a sixth smaller for twice
 * to four times the time (docs/performance.md). The window bounds the memory of a response that a client reads slowly.
 */
const GZIP: ZlibOptions = { level: 3 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

const compressors: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
};

/** In characters. A shorter body fits into a few packets, and most responses are shorter. */
const MIN_LENGTH = 4096;

/** The setting of the Express application. */
export const COMPRESSION = 'compression';

/**
 * The response contains a secret, so it is never compressed: the length of a compressed body tells how much of it
 * repeats (BREACH). No proxy compresses it either.
 */
export const ContainsSecret = () => applyDecorators(Header('Cache-Control', 'no-store, no-transform'));

/** Whether a body of this length depends on `Accept-Encoding`. */
export const isCompressible = (response: Response, length: number): boolean =>
  length >= MIN_LENGTH &&
  response.app.enabled(COMPRESSION) &&
  response.get('cache-control')?.includes('no-transform') !== true;

/** The coding of a body of this length; undefined for none. Says in `Vary` if it depends on the request. */
export function codingFor(response: Response, length: number): Coding | undefined {
  if (!isCompressible(response, length)) return undefined;
  response.vary('Accept-Encoding');
  const { req: request } = response;
  if (request.headers['accept-encoding'] === undefined) return undefined;
  const accepted = request.acceptsEncodings([...CODINGS, 'identity']);
  return CODINGS.find((coding) => coding === accepted);
}

/** Sets the headers of a body in a coding. */
export function setCoding(response: Response, coding: Coding): void {
  response.setHeader('content-encoding', coding);
  const tag = response.get('etag');
  if (tag !== undefined) response.setHeader('etag', codedTag(tag, coding));
}

/**
 * Begins the body of a response.
 * @param length in characters; infinite for a body that is streamed
 * @returns where the body is written: a compressor if the client accepts one, else the response itself
 */
export function bodyWriter(response: Response, length: number): Writable {
  const coding = codingFor(response, length);
  if (!coding) return response;
  setCoding(response, coding);
  const compressor = compressors[coding]();
  // An error closes the response. It is that of a client that has disconnected, which the producer of the body detects.
  pipeline(compressor, response, () => undefined);
  return compressor;
}

/** Compresses a whole body. It blocks the process. */
export const compress: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, BROTLI),
  gzip: (bytes) => gzipSync(bytes, GZIP),
};
