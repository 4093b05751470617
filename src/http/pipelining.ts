import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver } from './graceful-close';

/** What a connection has sent beside the request that is being answered. */
interface Waiting {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/** When so many of a connection wait, no more is read of it: what has been read already may still be more. */
const MOST_WAITING = 16;

/** What listens for the end of an answer; more would be a leak. */
const MOST_LISTENERS = 20;

/**
 * Begins a request when those before it on its connection are answered. HTTP sends the answers in that order anyway:
 * to work on the later ones meanwhile would let one connection take what all share, and hold their answers unsent.
 */
export function oneAtATime(): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  /** Of the connections on which a request is being answered. */
  const lines = new WeakMap<Socket, Waiting[]>();
  /** Node has a connection read on whenever a request of it is done with, however many wait: that is taken back. */
  const watched = new WeakSet<Socket>();

  const begin = (socket: Socket, { response, begin: answer }: Waiting): void => {
    // Streams that end in it listen beside all who count and measure.
    response.setMaxListeners(MOST_LISTENERS);
    // Others have their turns in between, also where no answer has to wait for its client.
    response.once('close', () => setImmediate(goOn, socket));
    answer();
  };

  const goOn = (socket: Socket): void => {
    const line = lines.get(socket);
    const next = line?.shift();
    // It has no connection if the answer before was the last one.
    if (!line || socket.destroyed || !next?.response.socket) {
      lines.delete(socket);
      return;
    }
    if (line.length === MOST_WAITING - 1) socket.resume();
    begin(socket, next);
  };

  return (request, response, next) => {
    const { socket } = request;
    // It came after something that ends the connection.
    if (isOver(socket)) return;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      if (!watched.has(socket)) {
        watched.add(socket);
        socket.on('resume', () => {
          if ((lines.get(socket)?.length ?? 0) >= MOST_WAITING) socket.pause();
        });
      }
      begin(socket, { response, begin: next });
      return;
    }
    line.push({ response, begin: next });
    if (line.length >= MOST_WAITING) socket.pause();
  };
}
