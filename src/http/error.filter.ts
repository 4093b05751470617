import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERNAL_ERROR_MESSAGE } from './api-errors';
import { requestState } from './request-state';
import { requestId, allowedMethods } from './request';
import { toInventoryError } from '../database/errors/database-error-mapping';
import {
  connectionErrorMessage,
  isDatabaseUnavailable,
  postgresError,
} from '../database/errors/postgres-error';
import { InventoryError } from '../core/errors';
import { appendMembers, JsonText } from '../core/json/json-text';

/** Sends every error as the standard error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Error');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { subrequest } = requestState(request);
    if (subrequest) {
      const error = toErrorResponse(thrown, request);
      // Unexpected errors are logged with the whole request.
      subrequest.fail(error.status < 500 ? error : thrown);
      return;
    }
    this.respond(thrown, request, response);
    requestState(request).activeRequest?.handlerDone();
  }

  private respond(thrown: unknown, request: Request, response: Response): void {
    const error = toErrorResponse(thrown, request);
    if (!(thrown instanceof InventoryError) && isDatabaseUnavailable(thrown))
      requestState(request).failure = messageOf(thrown);
    else if (error.status >= 500) this.logServerError(thrown, error, requestId(request));
    // Too late for a status. Close the connection, so that the client does not take the partial response for a complete
    // one.
    if (response.headersSent) response.destroy();
    else sendError(request, response, error, thrown instanceof InventoryError ? thrown.extraMembers : {});
  }

  /**
   * Logs expected errors without a stack, as warnings. An unavailable database causes as many errors as there are requests,
   * so its error is in the line of the request, and the watchdog logs when the outage begins and ends.
   */
  private logServerError(thrown: unknown, { code, message }: InventoryError, request_id: string): void {
    if (code !== 'unavailable' || (thrown instanceof InventoryError && thrown.cause !== undefined))
      this.log.error({ request_id, err: thrown }, message);
    else if (thrown instanceof InventoryError) this.log.warn({ request_id }, message);
    else this.log.warn({ request_id, error: messageOf(thrown) }, message);
  }
}

/** The message and the code of an error, and of its cause, without parameters of statements. */
function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = postgresError(thrown)?.code;
  const message = `${connectionErrorMessage(thrown)}${code === undefined ? '' : ` (${code})`}`;
  return thrown.cause instanceof Error ? `${message}: ${thrown.cause.message}` : message;
}

/**
 * Sends an error in the standard error body. The response must not have been started. Node reads and discards the rest
 * of the request's body.
 * @param more further members of the body; `JsonText` stays as it is
 */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, details, headers }: InventoryError,
  more: Readonly<Record<string, unknown>> = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.removeHeader('etag');
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  const plain = Object.entries(more).filter(([, value]) => !(value instanceof JsonText));
  const texts = Object.entries(more).flatMap(([name, value]) =>
    value instanceof JsonText ? [`${JSON.stringify(name)}:${value.text}`] : [],
  );
  const body = { code, message, details, request_id: requestId(request), ...Object.fromEntries(plain) };
  response.end(appendMembers(JSON.stringify(body), texts));
}

/** The error that the client gets. It contains no internals of unexpected errors. */
function toErrorResponse(thrown: unknown, request: Request): InventoryError {
  if (thrown instanceof InventoryError) return withAllow(thrown, request);
  const databaseError = toInventoryError(thrown);
  if (databaseError) return databaseError;
  if (isBodyParserError(thrown)) return fromBodyParserError(thrown);
  if (thrown instanceof URIError)
    return new InventoryError('invalid_request', 'The path is not well formed.');
  if (thrown instanceof HttpException) return fromHttpException(thrown, request);
  return new InventoryError('internal_error', INTERNAL_ERROR_MESSAGE);
}

interface BodyParserError extends Error {
  readonly type: string;
  readonly status: number;
}

const isBodyParserError = (thrown: unknown): thrown is BodyParserError =>
  thrown instanceof Error && 'type' in thrown && typeof thrown.type === 'string' && 'status' in thrown;

function fromBodyParserError(error: BodyParserError): InventoryError {
  switch (error.type) {
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new InventoryError('unsupported_media_type', 'The encoding of the body is not supported.');
    default:
      return InventoryError.invalidBody('invalid_format', 'The body cannot be read.');
  }
}

function fromHttpException(error: HttpException, request: Request): InventoryError {
  switch (error.getStatus()) {
    case 404:
      return unknownRouteError(request);
    case 400:
      return new InventoryError('invalid_request', error.message);
    case 401:
      return new InventoryError('unauthenticated', 'The request is not authenticated.');
    case 403:
      return new InventoryError('forbidden', 'The roles of this user do not allow this.');
    case 413:
      return new InventoryError('payload_too_large', 'The body is too large.');
    case 429:
      return new InventoryError('too_many_requests', 'Too many requests.');
    case 503:
      return new InventoryError('unavailable', 'The service is not available.', [], { 'retry-after': '1' });
    default:
      return new InventoryError('internal_error', INTERNAL_ERROR_MESSAGE);
  }
}

/** The error for a request without a route: either the path does not exist, or it supports other methods only. */
export function unknownRouteError(request: Request): InventoryError {
  const allowed = allowedMethods(request);
  if (allowed.length === 0) return new InventoryError('not_found', 'This path does not exist.');
  const { method } = request;
  const hint =
    method === 'PATCH' && allowed.includes('PUT') ? ' PUT changes only the members that the body names.' : '';
  const message = `This path does not support the method ${method}.${hint}`;
  return new InventoryError('method_not_allowed', message, [], { allow: allowed.join(', ') });
}

/** HTTP requires `Allow` in a 405 response, even if the 405 is a "validation exception". */
function withAllow(error: InventoryError, request: Request): InventoryError {
  if (error.code !== 'validation_exception') return error;
  return new InventoryError(error.code, error.message, error.details, {
    ...error.headers,
    allow: allowedMethods(request).join(', '),
  });
}
