import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { lingerAfterAnswer } from './graceful-close';

/** In milliseconds: for what was on its way when a connection's time without a request was over. */
const MARGIN = 1_000;

/** In milliseconds: so long a client whose last answer is sent may take to hang up. */
const HANG_UP_PATIENCE = 1_000;

/** A connection, and what is being answered on it. */
interface Line {
  /** In the order of their requests. */
  readonly answers: Set<ServerResponse>;
  /** The answer that says that it is the last: whatever comes after its request is not answered. */
  last?: ServerResponse;
  /** So many bytes had come when it began, or when its last answer was sent: what is more is part of a request. */
  read: number;
}

/**
 * The connections of a server that is about to end, and how their clients are sent away without losing a request.
 *
 * Clients may send several requests without waiting for answers. Whoever reads that an answer is the last one may
 * send the later ones again elsewhere: so none of them is begun. And none of before is cut off.
 */
export class Connections {
  private areClosing = false;
  /** Connections without a request are closed from now on. */
  private isOver = false;
  private readonly lines = new Map<Socket, Line>();

  /** @param server with its listeners for requests, which get only those that are to be answered */
  constructor(private readonly server: Server) {
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.lines.set(socket, { answers: new Set(), read: socket.bytesRead });
      socket.once('close', () => this.lines.delete(socket));
    });
    // When the server is closed, it calls this. Its own takes connections for idle whose answers are not yet sent.
    server.closeIdleConnections = () => {
      this.closeIdle();
    };
    const listeners = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!this.takes(request.socket, response)) return;
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    });
  }

  /**
   * Takes no more connections, and answers what comes on those that there are. A client may be sending on one that
   * seems idle, so these are left until they would be closed anyway: no request is lost.
   * @returns when all clients have left, or have had the time to; what is being answered then goes on
   */
  handOver(): Promise<void> {
    return this.drain(this.server.keepAliveTimeout + MARGIN);
  }

  /**
   * The same for clients who cannot be waited for until they leave by themselves.
   * @param milliseconds how long idle connections are left, for what is on its way
   */
  async drain(milliseconds: number): Promise<void> {
    this.areClosing = true;
    for (const [socket, line] of this.lines) this.markNewest(socket, line);
    const left = new Promise<void>((resolve) => this.server.once('close', resolve));
    // Not that of HTTP servers, which closes idle connections, too.
    Listener.prototype.close.call(this.server);
    await Promise.race([left, delay(milliseconds, undefined, { ref: false })]);
  }

  /** Closes those without a request, now and from now on. */
  private closeIdle(): void {
    this.isOver = true;
    for (const [socket, line] of this.lines)
      if (line.answers.size === 0 && socket.bytesRead === line.read) socket.destroySoon();
  }

  /** Whether a request is to be answered. */
  private takes(socket: Socket, response: ServerResponse): boolean {
    const line = this.lines.get(socket);
    if (!line) return true;
    // Its client was told, or is being told, that this one is not answered. Were it answered because the last answer is
    // not sent yet, a client that sends on and on would never be told.
    if (line.last) return false;
    line.answers.add(response);
    if (this.areClosing) this.markNewest(socket, line);
    response.once('close', () => {
      this.done(socket, line, response);
    });
    return true;
  }

  /** Has the newest answer say that it is the last. */
  private markNewest(socket: Socket, line: Line): void {
    const newest = [...line.answers].at(-1);
    if (!newest || newest.headersSent) return;
    newest.setHeader('connection', 'close');
    line.last = newest;
    // Node would close it at once. If something came after that, the client might never read what was answered.
    lingerAfterAnswer(socket, HANG_UP_PATIENCE);
  }

  private done(socket: Socket, line: Line, response: ServerResponse): void {
    line.answers.delete(response);
    line.read = socket.bytesRead;
    // Its client knows nothing of the end: its answer had begun before.
    if (!line.last && this.isOver && line.answers.size === 0) socket.destroySoon();
  }
}
