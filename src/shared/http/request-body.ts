import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { InventoryError, type ErrorCode } from '../errors/inventory-error';

const texts = new WeakMap<IncomingMessage, string>();

/** The text of a request's JSON body, as it came. */
export const bodyText = (request: IncomingMessage): string => texts.get(request) ?? '';

/** Whether there is a body at all; `Content-Length: 0` is none. */
function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** An error for the body parser, which writes a status of its own into what it is thrown; ours is within. */
const refusal = (code: ErrorCode, message: string): Error =>
  new Error(message, { cause: new InventoryError(code, message) });

/** Every fault that the body parser finds itself has a type; what the decompression finds has none. */
const isOfDecompression = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 400 && !('type' in error);

/**
 * Reads JSON bodies: UTF-8 only, up to `limit` bytes, and keeps their text beside what JavaScript made of them,
 * because JavaScript's numbers lose digits that the database can hold.
 */
export function jsonBodies(limit: number): RequestHandler[] {
  const refuseOthers = (request: Request, _response: Response, next: NextFunction) => {
    if (hasBody(request) && !request.is('application/json'))
      throw new InventoryError('unsupported_media_type', 'The body must be application/json.', [
        { field: 'Content-Type', message: 'must be application/json' },
      ]);
    next();
  };
  const read = express.json({
    limit,
    strict: false,
    type: 'application/json',
    verify: (request, _response, buffer, encoding) => {
      if (!/^utf-?8$/i.test(encoding))
        throw refusal('unsupported_media_type', 'A JSON body must be encoded in UTF-8.');
      if (!isUtf8(buffer)) throw refusal('invalid_request', 'The body is not valid UTF-8.');
      texts.set(request, buffer.toString('utf8').replace(/^\uFEFF/, ''));
    },
  });
  const readOrRefuse = (request: Request, response: Response, next: NextFunction) => {
    read(request, response, (error?: unknown) => {
      // Said here, because Nest passes on no more of a syntax error than what the parser says.
      if (error instanceof SyntaxError)
        next(new InventoryError('invalid_request', `The body is not valid JSON: ${error.message}`));
      else if (error instanceof Error && error.cause instanceof InventoryError) next(error.cause);
      else if (isOfDecompression(error))
        next(new InventoryError('invalid_request', 'The body is not what its Content-Encoding says.'));
      else next(error);
    });
  };
  return [refuseOthers, readOrRefuse];
}
