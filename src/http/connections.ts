import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Server as TlsServer, TLSSocket } from 'node:tls';
import { Logger } from '@nestjs/common';
import type { Environment } from '../config/environment';
import type { RejectionMetrics } from './rejection-metrics';

/** How often (ms) Node checks for requests that do not arrive in time. */
const TIMEOUT_CHECK_INTERVAL = 1_000;

/** After how long (ms) without traffic TCP checks whether a client still exists. */
const TCP_KEEPALIVE_DELAY = 60_000;

/**
 * How long (ms) a connection stays open for the next request. Longer than proxies and load balancers keep theirs by default (60 s):
 * otherwise they send requests on connections that are being closed here, and answer 502.
 */
const KEEP_ALIVE_TIMEOUT = 75_000;

/** How many listeners one response needs: for counting, logging and timing it, and for streams that end in it. */
const MAX_RESPONSE_LISTENERS = 20;

/** The options that a server takes only when it is created. */
export const serverOptions = ({ HEADER_LIMIT_BYTES }: Environment): ServerOptions => ({
  maxHeaderSize: HEADER_LIMIT_BYTES,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
  keepAlive: true,
  keepAliveInitialDelay: TCP_KEEPALIVE_DELAY,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
});

/** A request and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of a server: limits, timeouts, malformed requests, and draining at a stop. */
export class Connections {
  private isDraining = false;
  private closesIdle = false;
  /** The exchanges in progress on each connection, in the order of their requests. */
  private readonly exchanges = new Map<Socket, Set<Exchange>>();

  constructor(
    private readonly server: Server,
    environment: Environment,
    private readonly rejections: RejectionMetrics,
  ) {
    server.maxConnections = environment.MAX_CONNECTIONS;
    server.headersTimeout = environment.HEADER_SECONDS * 1000;
    server.requestTimeout = environment.IMPORT_SECONDS * 1000;
    server.timeout = environment.CLIENT_STALL_SECONDS * 1000;
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.open(socket);
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.track({ request, response });
    });
    server.on('timeout', (socket: Socket) => {
      this.checkStalled(socket);
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      this.rejectMalformed(error.code, socket);
    });
    // Without this listener, Node responds to an unknown `Expect` header with 417 and no body.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
    // Node calls this when the server is closed. Its own version destroys connections whose responses are not yet sent.
    server.closeIdleConnections = () => {
      this.closeIdle();
    };
  }

  /**
   * Accepts no new connections, and closes each open one with its next response. Idle connections stay open for a
   * while: a request may be on its way.
   * @param milliseconds how long idle connections stay open
   * @returns when all clients have disconnected, or after that time; requests in progress then go on
   */
  async drain(milliseconds: number): Promise<void> {
    this.isDraining = true;
    for (const exchanges of this.exchanges.values()) announceClose([...exchanges].at(-1));
    const closed = new Promise<void>((resolve) => this.server.once('close', resolve));
    // `close` of an HTTP server would close idle connections, too.
    NetServer.prototype.close.call(this.server);
    await Promise.race([closed, delay(milliseconds, undefined, { ref: false })]);
  }

  private open(socket: Socket): void {
    this.exchanges.set(socket, new Set());
    socket.once('close', () => {
      const exchanges = this.exchanges.get(socket) ?? [];
      this.exchanges.delete(socket);
      // Node does not close the responses of pipelined requests that are queued on the connection.
      for (const { response } of exchanges)
        if (!response.socket) {
          response.destroy();
          response.emit('close');
        }
    });
  }

  private track(exchange: Exchange): void {
    const { request, response } = exchange;
    const { socket } = request;
    response.setMaxListeners(MAX_RESPONSE_LISTENERS);
    const exchanges = this.exchanges.get(socket);
    exchanges?.add(exchange);
    if (this.isDraining) announceClose(exchange);
    response.once('close', () => {
      exchanges?.delete(exchange);
      if (this.closesIdle && exchanges?.size === 0) socket.destroySoon();
    });
  }

  /** Closes connections without a request in progress, now and from now on. */
  private closeIdle(): void {
    this.closesIdle = true;
    for (const [socket, exchanges] of this.exchanges) if (exchanges.size === 0) socket.destroySoon();
  }

  /** A connection had no traffic: the client is too slow, the service is still working, or the connection is idle. */
  private checkStalled(socket: Socket): void {
    const exchanges = [...(this.exchanges.get(socket) ?? [])];
    const seconds = String(this.server.timeout / 1000);
    if (exchanges.length === 0) socket.destroy();
    else if (exchanges.some(({ request }) => !request.complete && request.readableLength === 0))
      disconnectSlowClient(
        socket,
        this.rejections,
        `it sent no data of a request body for ${seconds} seconds`,
      );
    else if (exchanges[0]?.response.headersSent === true && socket.writableLength > 0)
      disconnectSlowClient(socket, this.rejections, `it read no data of a response for ${seconds} seconds`);
    // A socket reports a timeout only once without new traffic.
    else socket.setTimeout(this.server.timeout);
  }

  private rejectMalformed(code: string | undefined, socket: Socket): void {
    const exchanges = this.exchanges.get(socket);
    // Before the TLS handshake, the connection is not tracked and no response can be sent.
    if (!exchanges || !socket.writable || [...exchanges].some(({ response }) => response.headersSent))
      socket.destroy();
    // Browsers open connections ahead of need, and take whatever has arrived there for the response to their next request.
    else if (socket.bytesRead === 0) socket.destroySoon();
    // Not if a complete request is in progress: the client could take the error for its response.
    else if (![...exchanges].some(({ request }) => request.complete)) {
      socket.write(badRequest(code));
      socket.destroySoon();
    }
  }
}

/** Announces to the client that the connection closes after this response. */
function announceClose(exchange: Exchange | undefined): void {
  if (exchange && !exchange.response.headersSent) exchange.response.setHeader('connection', 'close');
}

const log = new Logger('Clients');

/** Disconnects a client that is too slow. */
export function disconnectSlowClient(socket: Socket, rejections: RejectionMetrics, reason: string): void {
  rejections.count('slow');
  log.warn(`A client was disconnected: ${reason}.`);
  resetConnection(socket);
}

/**
 * Closes a connection so that the client cannot take a partial response for a complete one. With HTTP/1.0, which some
 * proxies use, an orderly close marks the end of a body.
 */
export function resetConnection(socket: Socket): void {
  // TLS has no reset, but the client detects a close without `close_notify`.
  if (socket instanceof TLSSocket) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}

const MALFORMED_MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The path and the headers are too long (HEADER_LIMIT_BYTES).',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time (HEADER_SECONDS, IMPORT_SECONDS).',
};

/** The response to a malformed request, or to one that did not arrive in time. */
function badRequest(code = ''): string {
  const message = MALFORMED_MESSAGES[code] ?? 'The request is not well-formed HTTP.';
  const requestId = randomUUID();
  const body = JSON.stringify({ code: 'invalid_request', message, details: [], request_id: requestId });
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
