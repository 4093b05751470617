import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fault of a response: it is lost, truncated, or replaced by a 504 of a proxy. */
export type Fault = 'lost' | 'cut' | 'replaced';

/** A proxy to a service that executes requests but loses some responses. */
export interface FaultyProxy {
  readonly url: string;
  /** The forwarded requests, as `PUT /v1/labels/1`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards requests.
 * @param fault returns the fault of a response, by its request
 * @param before called before a request is forwarded
 */
export async function startFaultyProxy(
  url: string,
  fault: (method: string, request: IncomingMessage) => Fault | undefined,
  before: (method: string, path: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<FaultyProxy> {
  const sent: string[] = [];
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    sent.push(`${method} ${path}`);
    const forward = () => {
      // The client has left meanwhile.
      if (incoming.socket.destroyed) return;
      const forwarded = request(`${url}${path}`, { method, headers }, (upstream) => {
        void buffer(upstream).then((body) => {
          const what = fault(method, incoming);
          if (what === 'lost') {
            incoming.socket.destroy();
            return;
          }
          if (what === 'replaced') {
            response.writeHead(504).end();
            return;
          }
          response.writeHead(upstream.statusCode ?? 500, upstream.headers);
          if (what === 'cut')
            response.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
          else response.end(body);
        });
      });
      incoming.pipe(forwarded);
    };
    void before(method, path).then(forward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: sent,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
