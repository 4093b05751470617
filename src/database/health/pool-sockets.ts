import { Socket } from 'node:net';

/** The database was asked and said nothing. */
class Silence extends Error {
  override readonly name = 'Silence';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database does not answer');
  }
}

/** Does not even try: each try would fill the queue before a server that stands still, which would have to work it off. */
class DeadSocket extends Socket {
  override connect(): this {
    process.nextTick(() => this.destroy(new Silence()));
    return this;
  }
}

/** The sockets of a pool, which can all be cut at once: whoever waits for an answer then gets to hear that none comes. */
export class PoolSockets {
  private readonly sockets = new Set<Socket>();
  private areCut = false;

  /** A socket for one connection, as the driver's `stream` wants it. It is not connected yet. */
  readonly take = (): Socket => {
    if (this.areCut) return new DeadSocket();
    const socket = new Socket();
    this.sockets.add(socket);
    // Until it is connected nobody listens, and it may be cut before: whoever connects it then is told.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  /** Destroys all open sockets; those that are opened before `open` is called fail at once. */
  cut(): void {
    this.areCut = true;
    for (const socket of this.sockets) socket.destroy(new Silence());
  }

  /** Those that are taken from now on are of use again. */
  open(): void {
    this.areCut = false;
  }
}
