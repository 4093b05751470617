import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a service that loses responses. */
export interface LossyProxy {
  readonly url: string;
  /** Forwards all responses from now on. */
  stopLosing(): void;
  /** The number of lost responses. */
  readonly lost: number;
  /** What clients have sent. */
  readonly received: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards requests, and closes the connection at the first byte of the response: the request has
 * been executed, but the client does not get the response.
 */
export async function startLossyProxy(url: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let lost = 0;
  let received = '';
  let isReliable = false;
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      // Closing one side closes the other. Errors are expected.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => (received += bytes.toString('latin1')));
    client.pipe(service);
    service.on('data', (bytes) => {
      if (isReliable) {
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
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    stopLosing: () => (isReliable = true),
    get lost() {
      return lost;
    },
    get received() {
      return received;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
