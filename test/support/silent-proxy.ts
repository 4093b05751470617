import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to the service that can stop forwarding. */
export interface SilentProxy {
  readonly url: string;
  /** Stops forwarding in both directions without closing connections, as after a power failure. */
  stopForwarding(): void;
  close(): Promise<void>;
}

/** Starts a proxy that forwards everything until `stopForwarding`. */
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
      // Closing one side closes the other, unless forwarding has stopped.
      for (const end of ['error', 'end', 'close'] as const)
        from.on(end, () => {
          if (!isSilent) to.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
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
