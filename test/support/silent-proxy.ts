import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to the service that loses the network path of each connection. */
export interface SilentProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards requests, and the beginning of the first response of each connection. It then forwards nothing in either
 * direction, without closing the connections, as after a power failure.
 */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    for (const socket of [client, service]) {
      sockets.add(socket);
      // Either side may reset its connection.
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => service.write(bytes));
    service.once('data', (bytes) => {
      service.pause();
      client.pause();
      client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
