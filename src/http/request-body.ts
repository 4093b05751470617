import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { InventoryError, type ErrorCode } from '../core/errors/inventory-error';
import { isTextDeeperThan, MAX_JSON_DEPTH } from '../core/json/json-depth';
import { exponentDigits } from '../core/json/number-exponents';
import { errorResponse } from './api-errors';
import { requestState } from './request-state';

/** The text of a request's JSON body, as it came. */
export const bodyText = (request: IncomingMessage): string => requestState(request).bodyText ?? '';

const TAKES_BODY = 'takes body';

/** The route reads the body itself, as it comes. */
export const TakesBody = () => SetMetadata(TAKES_BODY, true);

const LARGE_BODY = 'large body';

/**
 * The route takes variables or several resources, and so a body up to `BODY_LIMIT_BYTES`. Without this, a route takes
 * 64 KiB.
 */
export const LargeBody = () =>
  applyDecorators(
    SetMetadata(LARGE_BODY, true),
    ApiResponse({
      status: 413,
      ...errorResponse(413),
      description: 'The body is larger than 8 MiB (`BODY_LIMIT_BYTES`).',
    }),
  );

const SMALL_LIMIT_BYTES = 64 * 1024;

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

const isOfLimit = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large';

/** As many digits as one resource's variables may take bytes. */
const MAX_DIGITS = 1024 * 1024;

/**
 * Whoever sends more than the limit is told so once all is sent, because many clients hear nothing before; but as much
 * as this, in limits, is too much to wait for.
 */
const MAX_DISCARDED = 4;

const tooLarge = (limit: number) =>
  new InventoryError('payload_too_large', `The body is larger than the limit of ${String(limit)} bytes.`);

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
  private readonly smallLimit: number;
  private readonly parseLarge: RequestHandler;
  private readonly parseSmall: RequestHandler;

  /**
   * @param limit in bytes, for routes with a `LargeBody`
   * @param seconds whoever has not sent a body by then does not send it any more
   */
  constructor(
    private readonly limit: number,
    private readonly seconds: number,
  ) {
    this.smallLimit = Math.min(limit, SMALL_LIMIT_BYTES);
    this.parseLarge = this.parser(limit);
    this.parseSmall = this.parser(this.smallLimit);
  }

  private parser(limit: number): RequestHandler {
    return express.json({
      limit,
      strict: false,
      type: 'application/json',
      verify: (request, _response, buffer, encoding) => {
        if (!/^utf-?8$/i.test(encoding))
          throw refusal('unsupported_media_type', 'A JSON body must be encoded in UTF-8.');
        if (!isUtf8(buffer)) throw refusal('invalid_request', 'The body is not valid UTF-8.');
        const text = buffer.toString('utf8').replace(/^\uFEFF/, '');
        if (isTextDeeperThan(MAX_JSON_DEPTH, text))
          throw refusal(
            'invalid_request',
            `The body is nested more than ${String(MAX_JSON_DEPTH)} levels deep.`,
          );
        if (exponentDigits(text) > MAX_DIGITS)
          throw refusal('invalid_request', 'The numbers in the body have too many digits.');
        requestState(request).bodyText = text;
      },
    });
  }

  /** @throws InventoryError 400, 413 or 415 for a body that cannot be read */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const handler = context.getHandler();
    if (Reflect.getMetadata(TAKES_BODY, handler) === true) return true;
    const isLarge = Reflect.getMetadata(LARGE_BODY, handler) === true;
    return hasBody(request) ? this.read(request, http.getResponse<Response>(), isLarge) : true;
  }

  private async read(request: Request, response: Response, isLarge: boolean): Promise<true> {
    const limit = isLarge ? this.limit : this.smallLimit;
    const parse = isLarge ? this.parseLarge : this.parseSmall;
    if (!request.is('application/json'))
      throw new InventoryError('unsupported_media_type', 'The body must be application/json.', [
        { field: 'Content-Type', message: 'must be application/json' },
      ]);
    const most = this.limit * MAX_DISCARDED;
    if (Number(request.get('content-length') ?? 0) > most) throw tooLarge(limit);
    const timer = setTimeout(() => request.destroy(), this.seconds * 1000);
    try {
      await new Promise<void>((resolve, reject) => {
        let bytes = 0;
        request.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > most) reject(tooLarge(limit));
        });
        void parse(request, response, (error?: unknown) => {
          if (error === undefined) resolve();
          else reject(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
        });
      });
    } catch (error) {
      throw isOfLimit(error) ? tooLarge(limit) : bodyError(error);
    } finally {
      clearTimeout(timer);
    }
    return true;
  }
}

/** Maps errors of the body parser to API errors; others are passed on. */
function bodyError(error: unknown): unknown {
  // Said here, because Nest passes on no more of a syntax error than what the parser says.
  if (error instanceof SyntaxError)
    return new InventoryError('invalid_request', `The body is not valid JSON: ${error.message}`);
  if (error instanceof Error && error.cause instanceof InventoryError) return error.cause;
  if (isOfDecompression(error))
    return new InventoryError('invalid_request', 'The body is not what its Content-Encoding says.');
  return error;
}
