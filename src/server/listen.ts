import { createServer, type Server } from 'node:http';
import { Registry } from 'prom-client';
import type { Environment } from '../config/environment';
import { StartupError } from '../core/errors';
import type { MetricsReader } from '../observability/metrics.service';
import { printStatus } from './console';

/** Converts an error of `listen` to a StartupError if the cause is known. */
export function listenError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartupError(
      `Port ${String(port)} on ${host} is already in use: stop the process that uses it, or set ${variable} to another port.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`Cannot resolve the host ${host}: set HOST to an address of this machine.`);
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new StartupError(
      `Cannot listen on ${host}:${String(port)} (${code}): set HOST to an address of this machine, and ${variable} to another port.`,
    );
  return error;
}

/**
 * Serves the metrics on METRICS_PORT if it is set.
 * @throws StartupError if the port cannot be listened on
 */
export async function serveMetrics(
  { HOST, METRICS_PORT }: Environment,
  metrics: MetricsReader,
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
        // The cause is for the operator, not for the client.
        printStatus(`Cannot collect the metrics: ${String(error)}`);
        response.writeHead(500).end('Cannot collect the metrics.');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = listenError(error, HOST, METRICS_PORT, 'METRICS_PORT');
      reject(reason instanceof Error ? reason : error);
    });
    server.listen(METRICS_PORT, HOST, resolve);
  });
  return server;
}
