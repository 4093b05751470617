import type { Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds: for what was on its way when a connection's time without a request was over. */
const MARGIN = 1_000;

/** The connections of a server that is about to end, and how their clients are sent away without losing a request. */
export class Connections {
  private areClosing = false;
  private readonly answers = new Set<ServerResponse>();

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      if (this.areClosing) response.setHeader('connection', 'close');
      else {
        this.answers.add(response);
        response.once('close', () => this.answers.delete(response));
      }
    });
  }

  /** From now on each answer is the last one on its connection. */
  closeWithAnswers(): void {
    this.areClosing = true;
    for (const answer of this.answers) if (!answer.headersSent) answer.setHeader('connection', 'close');
  }

  /**
   * Takes no more connections, and answers what comes on those that there are. A client may be sending on one that
   * seems idle, so these are left until they would be closed anyway: no request is lost.
   * @returns when all clients have left, or have had the time to; what is being answered then goes on
   */
  async handOver(): Promise<void> {
    const left = new Promise<void>((resolve) => this.server.once('close', resolve));
    this.closeWithAnswers();
    // Not that of HTTP servers, which closes idle connections, too.
    Listener.prototype.close.call(this.server);
    await Promise.race([left, delay(this.server.keepAliveTimeout + MARGIN, undefined, { ref: false })]);
  }
}
