import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { InventoryError, type ErrorCode } from '../errors/inventory-error';
import { digitsOfExponents } from '../json/exponents';

const texts = new WeakMap<IncomingMessage, string>();

/** The text of a request's JSON body, as it came. */
export const bodyText = (request: IncomingMessage): string => texts.get(request) ?? '';

/** Notes what stands for the text of a body that was read by its route. */
export const noteBody = (request: IncomingMessage, text: string): void => {
  texts.set(request, text);
};

const TAKES_BODY = 'takes body';

/** The route reads the body itself, as it comes. */
export const TakesBody = () => SetMetadata(TAKES_BODY, true);

/** Whether there is a body to be read; `Content-Length: 0` is none, and what comes with a question means nothing. */
function hasBody(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
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

/** As many digits as one resource's variables may take bytes. */
const MOST_DIGITS = 1024 * 1024;

/**
 * Whoever sends more than the limit is told so once all is sent, because many clients hear nothing before; but as much
 * as this, in limits, is too much to wait for.
 */
const MOST_DISCARDED = 4;

const tooLarge = () => new InventoryError('payload_too_large', 'The body is too large.');

/**
 * Reads JSON bodies: UTF-8 only, up to a limit, and keeps their text beside what JavaScript made of them, because
 * JavaScript's numbers lose digits that the database can hold. A body is read after the guard has let its sender
 * pass: whoever is nobody has nothing parsed.
 *
 * It is the last of the guards, and no interceptor: one of those costs every request a chain of observables, also the
 * many that have no body.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly parse: RequestHandler;

  /**
   * @param limit in bytes
   * @param seconds whoever has not sent a body by then does not send it any more
   */
  constructor(
    private readonly limit: number,
    private readonly seconds: number,
  ) {
    this.parse = express.json({
      limit,
      strict: false,
      type: 'application/json',
      verify: (request, _response, buffer, encoding) => {
        if (!/^utf-?8$/i.test(encoding))
          throw refusal('unsupported_media_type', 'A JSON body must be encoded in UTF-8.');
        if (!isUtf8(buffer)) throw refusal('invalid_request', 'The body is not valid UTF-8.');
        const text = buffer.toString('utf8').replace(/^\uFEFF/, '');
        if (digitsOfExponents(text) > MOST_DIGITS)
          throw refusal('invalid_request', 'The numbers in the body have too many digits.');
        texts.set(request, text);
      },
    });
  }

  /** @throws InventoryError 400, 413 or 415 for a body that cannot be read */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (Reflect.getMetadata(TAKES_BODY, context.getHandler()) === true) return true;
    return hasBody(request) ? this.read(request, http.getResponse<Response>()) : true;
  }

  private async read(request: Request, response: Response): Promise<true> {
    if (!request.is('application/json'))
      throw new InventoryError('unsupported_media_type', 'The body must be application/json.', [
        { field: 'Content-Type', message: 'must be application/json' },
      ]);
    const most = this.limit * MOST_DISCARDED;
    if (Number(request.get('content-length') ?? 0) > most) throw tooLarge();
    const timer = setTimeout(() => request.destroy(), this.seconds * 1000);
    try {
      await new Promise<void>((resolve, reject) => {
        let bytes = 0;
        request.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > most) reject(tooLarge());
        });
        void this.parse(request, response, (error?: unknown) => {
          if (error === undefined) resolve();
          else reject(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
        });
      });
    } catch (error) {
      throw bodyError(error);
    } finally {
      clearTimeout(timer);
    }
    return true;
  }
}

/** What a client is told of a body that cannot be read; what is none of these is passed on. */
function bodyError(error: unknown): unknown {
  // Said here, because Nest passes on no more of a syntax error than what the parser says.
  if (error instanceof SyntaxError)
    return new InventoryError('invalid_request', `The body is not valid JSON: ${error.message}`);
  if (error instanceof Error && error.cause instanceof InventoryError) return error.cause;
  if (isOfDecompression(error))
    return new InventoryError('invalid_request', 'The body is not what its Content-Encoding says.');
  return error;
}
