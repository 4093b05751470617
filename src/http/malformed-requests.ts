import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { endLingering, isOver, markOver } from './graceful-close';

/** What came last on a connection. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer before this one. */
  readonly before: ServerResponse | undefined;
}

/**
 * What cannot be read as HTTP reaches no route and no filter. It gets the one error body here: node itself would
 * answer it without any. Answers are taken in the order of the requests, so it waits for those before it.
 */
export function answerMalformedRequests(server: Server): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const isTls = server instanceof TlsServer;
  const secured = new WeakSet<Duplex>();
  if (isTls) server.on('secureConnection', (socket: Duplex) => secured.add(socket));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response, before: latest.get(request.socket)?.response });
  });
  // What a client expects that nobody knows is no reason to refuse it; node itself would, without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  // Node hangs up on whoever takes the service for a proxy.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, latest.get(socket), 'CONNECT');
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
    // Each further piece of what is refused already comes here again.
    if (isOver(socket)) return;
    // It does not speak TLS, or no version of it that is spoken here: there is nothing in which it could be answered.
    if ((isTls && !secured.has(socket)) || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refuse(socket, latest.get(socket), error.code);
  });
}

/** Ends a connection with an error, once what came before on it is answered. */
function refuse(socket: Duplex, last: Exchange | undefined, code: string | undefined): void {
  markOver(socket);
  // It is the body of a request that cannot be read, or what follows the last one.
  const isBody = last?.request.complete === false;
  const awaited = isBody ? last.before : last?.response;
  const end = (): void => {
    if (!socket.writable || (isBody && last.response.headersSent)) {
      socket.destroy();
      return;
    }
    endLingering(socket, refusal(code));
  };
  if (!awaited || awaited.closed) end();
  else awaited.once('close', end);
}

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', 'The path and the headers are too long (HEADER_LIMIT_BYTES).'],
  ['CONNECT', 'This is no proxy.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'The headers did not come in time (HEADER_SECONDS).'],
]);

function refusal(code: string | undefined): string {
  const message = (code !== undefined && MESSAGES.get(code)) || 'The request is not well-formed HTTP.';
  const id = randomUUID();
  const body = JSON.stringify({ code: 'invalid_request', message, details: [], request_id: id });
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
