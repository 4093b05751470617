import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to the service on which answers get lost. */
export interface LossyProxy {
  readonly url: string;
  /** From now on nothing is lost. */
  stopLosing(): void;
  /** How many answers were lost. */
  readonly lost: number;
  close(): Promise<void>;
}

/**
 * A way to the service that hands requests on. When the first byte of an answer comes, whatever the request was to do
 * is done: just then it cuts the connection, and the client never learns of it.
 */
export async function startLossyProxy(url: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let lost = 0;
  let mended = false;
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      // Whatever ends one side ends the other: a cut is what this is for, so it is no error here.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(service);
    service.on('data', (bytes) => {
      if (mended) {
        client.write(bytes);
        return;
      }
      lost++;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    stopLosing: () => (mended = true),
    get lost() {
      return lost;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
