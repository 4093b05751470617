import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** In milliseconds: so long somebody who was refused may go on sending, so that the answer is read before the end. */
const LINGER_MS = 2_000;

const over = new WeakSet<Duplex>();

/** Whether a connection has had its last answer: what still comes on it is not answered, and must not be done. */
export const isOver = (connection: Duplex): boolean => over.has(connection);

/** From now on nothing that comes on a connection is answered. */
export const markOver = (connection: Duplex): void => {
  over.add(connection);
};

/**
 * Says the last on a connection and closes it a moment later. Closed at once, a connection on which something was not
 * read is reset, and a client that is still sending never gets to read what it was told.
 */
export function endLingering(connection: Duplex, last?: string, milliseconds = LINGER_MS): void {
  markOver(connection);
  connection.end(last);
  setTimeout(() => connection.destroy(), milliseconds).unref();
}

/** Has Node do the same after an answer that says it is the last. */
export function lingerAfterAnswer(socket: Socket, milliseconds = LINGER_MS): void {
  socket.destroySoon = () => {
    endLingering(socket, undefined, milliseconds);
  };
}
