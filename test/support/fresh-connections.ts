import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** In milliseconds. The service closes connections that have been idle for five seconds. */
const MAX_IDLE = 1_500;

/**
 * An agent for keep-alive that reuses no connection which the service may be closing. Agents have a timeout for that, but on a busy
 * machine, or after a long computation of a test, its timer runs after the next request.
 */
export class FreshConnections extends Agent {
  private readonly idleSince = new WeakMap<Duplex, number>();

  constructor() {
    super({ keepAlive: true, timeout: MAX_IDLE });
    this.on('free', (socket: Duplex) => this.idleSince.set(socket, performance.now()));
  }

  /** Closes connections that have been idle for long. Call it before each request. */
  closeIdle(): void {
    for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? []))
      if (performance.now() - (this.idleSince.get(socket) ?? 0) > MAX_IDLE) socket.destroy();
  }
}
