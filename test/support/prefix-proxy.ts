import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves a service below a path. */
export interface PrefixProxy {
  /** The URL of the service through the proxy, with the path. */
  readonly publicUrl: string;
  /** Sets the service. The proxy has to exist before it, because the service is started with the URL. */
  forwardTo(url: string): void;
  close(): void;
}

/** Starts a proxy that removes the prefix, as nginx does with `location /fleet/ { proxy_pass http://…/; }`. */
export async function startPrefixProxy(): Promise<PrefixProxy> {
  let target = '';
  const server = createServer((request, response) => {
    const path = /^\/fleet(\/.*)$/.exec(request.url ?? '')?.[1];
    if (path === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = request;
    const upstream = httpRequest(`${target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    publicUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/fleet`,
    forwardTo: (url) => {
      target = url;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
