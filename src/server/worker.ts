import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { createSecretBox } from '../access-secrets/key-source';
import { readEnvironment } from '../config/environment';
import { InventoryError } from '../core/errors/inventory-error';
import { requireMigrated } from '../database/migrate';
import type { PrimaryMessage, WorkerConfig, WorkerMessage } from './worker-pool';
import { exitWithFailure, formatError } from './console';

/** Serves as one of several processes, until SIGTERM. */
export async function runWorker(worker: Worker): Promise<void> {
  // Ctrl-C sends SIGINT to the workers, too. The primary stops them with SIGTERM.
  process.on('SIGINT', () => undefined);
  const stopRequested = new Promise((resolve) => process.on('SIGTERM', resolve));
  // Responds to the primary's scrapes from now on, without metrics until the application exists.
  AggregatorRegistry.setRegistries([]);
  new AggregatorRegistry();
  const config = new Promise<WorkerConfig>((resolve) => {
    worker.on('message', (message: PrimaryMessage) => {
      if (message.type === 'start') resolve(message.config);
    });
  });
  try {
    await serve(worker, await config, stopRequested);
  } catch (error) {
    send(worker, { type: 'failed', reason: formatError(error) });
    exitWithFailure();
  } finally {
    // The open channel keeps the process alive. If the primary exits first, Node ends this process.
    worker.disconnect();
  }
}

async function serve(worker: Worker, config: WorkerConfig, stopRequested: Promise<unknown>): Promise<void> {
  const { connection, as, secrets } = config;
  // The program, or the schema, may be newer than the primary.
  await requireMigrated(connection, as);
  // Imported here, so that the primary does not load the application.
  const { Application } = await import('./application.js');
  const application = await Application.create({
    environment: readEnvironment(),
    connection,
    as,
    secrets: createSecretBox(secrets),
    worker: { id: worker.id, metricsOfAll: () => scrape(worker) },
  });
  try {
    AggregatorRegistry.setRegistries(application.registry);
    send(worker, { type: 'serving', url: await application.start() });
    await stopRequested;
  } finally {
    await application.stop();
  }
}

/** The metrics of all workers, from the primary. Called once at a time. */
function scrape(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', function receive(message: PrimaryMessage) {
      if (message.type !== 'metrics') return;
      worker.off('message', receive);
      if (message.text !== undefined) resolve(message.text);
      else
        reject(
          new InventoryError('unavailable', 'A worker did not report its metrics in time. Retry later.', [], {
            'retry-after': '5',
          }),
        );
    });
    send(worker, { type: 'scrape' });
  });
}

const send = (worker: Worker, message: WorkerMessage): boolean => worker.send(message);
