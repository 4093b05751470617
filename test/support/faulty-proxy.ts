import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of an answer: it is lost as a whole, breaks off in its middle, or a proxy answers 504 in its place. */
export type Fault = 'lost' | 'cut' | 'replaced';

/** A line to the service on which some answers do not arrive. What was asked for is done by then. */
export interface FaultyProxy {
  readonly url: string;
  /** The requests that went by it, as `PUT /v1/labels/1`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * A way to the service that hands requests on.
 * @param fault what is to become of an answer, told by the method of its request
 */
export async function startFaultyProxy(
  url: string,
  fault: (method: string, request: IncomingMessage) => Fault | undefined,
): Promise<FaultyProxy> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    const { method = '', url: path = '', headers } = incoming;
    asked.push(`${method} ${path}`);
    const handed = request(`${url}${path}`, { method, headers }, (given) => {
      void buffer(given).then((body) => {
        const what = fault(method, incoming);
        if (what === 'lost') {
          incoming.socket.destroy();
          return;
        }
        if (what === 'replaced') {
          answer.writeHead(504).end();
          return;
        }
        answer.writeHead(given.statusCode ?? 500, given.headers);
        if (what === 'cut') answer.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
        else answer.end(body);
      });
    });
    incoming.pipe(handed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
