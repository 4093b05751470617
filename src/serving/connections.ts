import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds: for what was on its way when a connection's time without a request was over. */
const MARGIN = 1_000;

/**
 * The connections of a server that is about to end, and how their clients are sent away without losing a request.
 *
 * Clients may send several requests without waiting for answers. Whoever reads that an answer is the last one may
 * send them all again elsewhere: so the one that says it is the last that is answered, and none after it is begun.
 */
export class Connections {
  private areClosing = false;
  private isOver = false;
  /** The answers that are not at their end, in the order of their requests. */
  private readonly answers = new Map<Socket, Set<ServerResponse>>();
  /** The answers that say that they are the last. */
  private readonly last = new WeakSet<ServerResponse>();

  /** @param server with its listeners for requests, which get only those that are to be answered */
  constructor(private readonly server: Server) {
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
   * The same for a server whose clients cannot wait for so long.
   * @param milliseconds how long idle connections are left, for what is on its way
   */
  async drain(milliseconds: number): Promise<void> {
    const left = new Promise<void>((resolve) => this.server.once('close', resolve));
    this.areClosing = true;
    for (const answers of this.answers.values()) {
      const newest = [...answers].at(-1);
      if (newest && !newest.headersSent) this.markAsLast(newest);
    }
    // Not that of HTTP servers, which closes idle connections, too.
    Listener.prototype.close.call(this.server);
    await Promise.race([left, delay(milliseconds, undefined, { ref: false })]);
    this.isOver = true;
    this.server.closeIdleConnections();
  }

  /** Whether a request is to be answered. */
  private takes(socket: Socket, response: ServerResponse): boolean {
    const before = this.answers.get(socket) ?? new Set();
    if (this.areClosing) {
      for (const answer of before) {
        if (!this.last.has(answer)) continue;
        // It was told already that this one is not answered.
        if (answer.headersSent) return false;
        answer.removeHeader('connection');
        this.last.delete(answer);
      }
      this.markAsLast(response);
    }
    before.add(response);
    this.answers.set(socket, before);
    response.once('close', () => {
      this.done(socket, response);
    });
    return true;
  }

  private markAsLast(answer: ServerResponse): void {
    answer.setHeader('connection', 'close');
    this.last.add(answer);
  }

  private done(socket: Socket, response: ServerResponse): void {
    const answers = this.answers.get(socket);
    answers?.delete(response);
    if (answers?.size !== 0) return;
    this.answers.delete(socket);
    // Its client knows nothing of the end: its answer had begun before.
    if (this.isOver) socket.destroySoon();
  }
}
