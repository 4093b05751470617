import type { IncomingMessage, ServerResponse } from 'node:http';
import { lingerAfterAnswer } from './graceful-close';
import { requestId } from './request-id';
import type { InventoryError } from '../core/errors/inventory-error';

const saysBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Answers a request with an error, in the one body that errors have. Nothing of the answer may have been sent yet.
 * @param more what the body has beside the usual
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, details, headers }: InventoryError,
  more: Readonly<Record<string, unknown>> = {},
): void {
  // A body that was not read to its end would be taken for the next request. One without any is complete a moment later.
  if (!request.complete && saysBody(request)) {
    response.setHeader('connection', 'close');
    // A request that nobody reads on may have lost its connection; the answer has it.
    if (response.socket) lingerAfterAnswer(response.socket);
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.removeHeader('etag');
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ code, message, details, request_id: requestId(request), ...more }));
}
