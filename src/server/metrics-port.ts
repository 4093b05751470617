import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import type { Environment } from '../config/environment';
import type { MetricsText } from '../observability/metrics.service';
import { portError } from './listen-error';
import { say } from './console';

/**
 * Serves metrics on METRICS_PORT, where it is set.
 * @throws StartupError if it cannot be listened on
 */
export async function serveMetrics(
  { HOST, METRICS_PORT }: Environment,
  metrics: MetricsText,
): Promise<Server | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) => {
        // What went wrong inside is for whoever reads what the service says, not for whoever asks.
        say(`The metrics cannot be collected: ${String(error)}`);
        response.writeHead(500).end('The metrics cannot be collected.');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = portError(error, HOST, METRICS_PORT, 'METRICS_PORT');
      reject(reason instanceof Error ? reason : error);
    });
    server.listen(METRICS_PORT, HOST, resolve);
  });
  return server;
}
