import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { DetailCode } from '../core/error-details';
import { InventoryError } from '../core/errors';
import { isTextDeeperThan, MAX_JSON_DEPTH, exponentDigits } from '../core/json/json-text';
import { errorResponse } from './api-errors';
import { requestState } from './request-state';

/** The text of a request's JSON body, as received. */
export const bodyText = (request: IncomingMessage): string => requestState(request).bodyText ?? '';

const TAKES_BODY = 'takes body';

/** The route reads the body itself, as a stream. */
export const TakesBody = () => SetMetadata(TAKES_BODY, true);

const TAKES_DELETE_BODY = 'takes a body of DELETE';

/** The `DELETE` has a body, which says what is deleted. Without this decorator, a `DELETE` with a body is rejected. */
export const TakesDeleteBody = () => SetMetadata(TAKES_DELETE_BODY, true);

const LARGE_BODY = 'large body';

/**
 * The route accepts a body up to `BODY_LIMIT_BYTES`, for variables or several resources. Without this decorator, the
 * limit is 64 KiB.
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

/** Whether there is a body to read. The body of a GET or HEAD request is ignored. */
function hasBody(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** Wraps an API error for the body parser, which overwrites the status of errors that it catches. */
const wrappedError = (cause: InventoryError): Error => new Error(cause.message, { cause });

const wrappedBodyError = (code: DetailCode, message: string): Error =>
  wrappedError(InventoryError.invalidBody(code, message));

const unsupportedCharset = () =>
  new InventoryError('unsupported_media_type', 'A JSON body must be encoded in UTF-8.', [
    { field: 'Content-Type', code: 'invalid_value', message: 'the charset must be utf-8' },
  ]);

/** The body parser's own errors have a type; errors of the decompression have none. */
const isDecompressionError = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 400 && !('type' in error);

const isLimitError = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large';

/** The maximum number of digits: the maximum size of one resource's variables in bytes. */
const MAX_DIGITS = 1024 * 1024;

/**
 * The response to a body that is too large is sent after the whole body was received, because many clients read no
 * response before. A body of more than this many times the limit is not awaited.
 */
const MAX_DISCARDED_FACTOR = 4;

const tooLarge = (limit: number) =>
  new InventoryError('payload_too_large', `The body is larger than the limit of ${String(limit)} bytes.`, [
    { field: 'body', code: 'too_long', message: `must have at most ${String(limit)} bytes` },
  ]);

/**
 * Reads JSON bodies in UTF-8, up to a limit. Also stores their text, because JavaScript numbers lose digits that the
 * database preserves. It runs after the access guard, so that no body of an unauthenticated client is parsed.
 *
 * It is the last guard and not an interceptor: an interceptor costs every request a chain of observables, even requests
 * without a body.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly smallLimit: number;
  private readonly parseLarge: RequestHandler;
  private readonly parseSmall: RequestHandler;

  /**
   * @param limit in bytes, for routes with `LargeBody`
   * @param seconds the timeout for receiving a body
   */
  constructor(
    private readonly limit: number,
    private readonly seconds: number,
  ) {
    this.smallLimit = Math.min(limit, SMALL_LIMIT_BYTES);
    this.parseLarge = this.parser(limit);
    this.parseSmall = this.parser(this.smallLimit);
    loadParser(this.parseSmall);
  }

  private parser(limit: number): RequestHandler {
    return express.json({
      limit,
      strict: false,
      type: 'application/json',
      verify: (request, _response, buffer, encoding) => {
        if (!/^utf-?8$/i.test(encoding)) throw wrappedError(unsupportedCharset());
        if (!isUtf8(buffer)) throw wrappedBodyError('invalid_format', 'The body is not valid UTF-8.');
        const text = buffer.toString('utf8').replace(/^\uFEFF/, '');
        if (isTextDeeperThan(MAX_JSON_DEPTH, text))
          throw wrappedBodyError(
            'too_deep',
            `The body is nested more than ${String(MAX_JSON_DEPTH)} levels deep.`,
          );
        if (exponentDigits(text) > MAX_DIGITS)
          throw wrappedBodyError('too_long', 'The numbers in the body have too many digits.');
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
    if (!hasBody(request)) return true;
    // It could be meant for another path, such as that of the variables. Executed without it, it deletes more.
    if (request.method === 'DELETE' && Reflect.getMetadata(TAKES_DELETE_BODY, handler) !== true)
      throw InventoryError.invalidBody(
        'unsupported',
        'This DELETE takes no body. The reason of the change goes into the header X-Change-Reason.',
      );
    const isLarge = Reflect.getMetadata(LARGE_BODY, handler) === true;
    return this.read(request, http.getResponse<Response>(), isLarge);
  }

  private async read(request: Request, response: Response, isLarge: boolean): Promise<true> {
    const limit = isLarge ? this.limit : this.smallLimit;
    const parse = isLarge ? this.parseLarge : this.parseSmall;
    if (!request.is('application/json'))
      throw new InventoryError('unsupported_media_type', 'The body must be application/json.', [
        { field: 'Content-Type', code: 'invalid_value', message: 'must be application/json' },
      ]);
    const maxDiscarded = this.limit * MAX_DISCARDED_FACTOR;
    if (Number(request.get('content-length') ?? 0) > maxDiscarded) throw tooLarge(limit);
    const timer = setTimeout(() => request.destroy(), this.seconds * 1000);
    try {
      await new Promise<void>((resolve, reject) => {
        let bytes = 0;
        request.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > maxDiscarded) reject(tooLarge(limit));
        });
        void parse(request, response, (error?: unknown) => {
          if (error === undefined) resolve();
          else reject(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
        });
      });
    } catch (error) {
      throw isLimitError(error) ? tooLarge(limit) : bodyError(error);
    } finally {
      clearTimeout(timer);
    }
    return true;
  }
}

/**
 * Parses a body, for which the parser loads modules. Otherwise it would load them for the first request, and take the lack of
 * a file descriptor at that moment for an unknown charset.
 */
function loadParser(parse: RequestHandler): void {
  const body = Buffer.from('{}');
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
  };
  const request = Object.assign(Readable.from([body]), { method: 'POST', headers });
  // The state of a request that no client has sent is never read, nor is the response written.
  void parse(request as unknown as Request, {} as Response, () => undefined);
}

/** Maps errors of the body parser to API errors; other errors are returned unchanged. */
function bodyError(error: unknown): unknown {
  // Mapped here, because Nest would pass on only the parser's message.
  if (error instanceof SyntaxError)
    return InventoryError.invalidBody('invalid_format', `The body is not valid JSON: ${error.message}`);
  if (error instanceof Error && error.cause instanceof InventoryError) return error.cause;
  if (isDecompressionError(error))
    return InventoryError.invalidBody('invalid_format', 'The body does not match its Content-Encoding.');
  return error;
}
