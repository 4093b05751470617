import { Socket } from 'node:net';

class DatabaseUnresponsiveError extends Error {
  override readonly name = 'DatabaseUnresponsiveError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database does not respond');
  }
}

/** Fails without connecting. Attempts would fill the accept queue of a stopped server. */
class FailingSocket extends Socket {
  override connect(): this {
    process.nextTick(() => this.destroy(new DatabaseUnresponsiveError()));
    return this;
  }
}

/** The sockets of a pool. They can all be closed at once, so that waiting queries fail. */
export class PoolSockets {
  private readonly sockets = new Set<Socket>();
  private isClosed = false;

  /** Creates an unconnected socket, for the driver's `stream` option. */
  readonly create = (): Socket => {
    if (this.isClosed) return new FailingSocket();
    const socket = new Socket();
    this.sockets.add(socket);
    // The driver listens for errors only once it connects, but the socket can be destroyed before.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  /** Destroys all sockets. New sockets fail until `reopen` is called. */
  closeAll(): void {
    this.isClosed = true;
    for (const socket of this.sockets) socket.destroy(new DatabaseUnresponsiveError());
  }

  /** Lets new sockets connect again. */
  reopen(): void {
    this.isClosed = false;
  }
}
