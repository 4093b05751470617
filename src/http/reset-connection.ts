import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Cuts a connection so that every client notices: one of HTTP/1.0, as proxies are, takes an orderly end for the end of a
 * body.
 */
export function cut(socket: Socket): void {
  // Within TLS an end that was not announced is no orderly one, and a reset is not to be had.
  if (socket instanceof TLSSocket) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
