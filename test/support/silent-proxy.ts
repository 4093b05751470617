import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to the service that can fall silent. */
export interface SilentProxy {
  readonly url: string;
  /** From now on nothing passes in either direction, and neither end is told: as when a machine loses its power. */
  stopForwarding(): void;
  close(): Promise<void>;
}

/** A way to the service that hands everything on until it falls silent. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes);
      });
      // Whatever ends one side ends the other, as long as there is anybody who could tell.
      for (const end of ['error', 'end', 'close'] as const)
        from.on(end, () => {
          if (!isSilent) to.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    stopForwarding: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
