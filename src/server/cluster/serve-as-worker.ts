import cluster from 'node:cluster';
import { readEnvironment } from '../../config/environment';
import { createSecretBox } from '../../access-secrets/key-source';
import { requireMigrated } from '../../database/migrate';
import type { Orders } from './ipc-protocol';
import { Primary } from './primary-channel';
import { endInFailure, sentenceOf } from '../console';

/** Serves as one of several processes, as the primary says, until it says that it is over. */
export async function serveAsWorker(): Promise<void> {
  const { worker } = cluster;
  if (!worker) throw new Error('this process is no worker');
  // A terminal sends them to all its processes. It is the primary that passes them on, in its own way.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const primary = new Primary(worker);
  try {
    await serve(worker.id, primary, await primary.orders);
  } catch (error) {
    primary.tell({ type: 'failed', sentence: sentenceOf(error) });
    endInFailure();
  } finally {
    // Not before: where the channel closes without this, the primary has died, and Node ends this process by itself.
    worker.disconnect();
  }
}

async function serve(
  id: number,
  primary: Primary,
  { connection, as, secrets, isFirst }: Orders,
): Promise<void> {
  // What is started here may be a newer program than the primary.
  await requireMigrated(connection, as);
  // Not before: the primary, which knows of this file, does without the application.
  const { Application } = await import('../application.js');
  const application = await Application.create({
    environment: readEnvironment(),
    connection,
    as,
    secrets: createSecretBox(secrets),
    worker: { id, metricsOfAll: () => primary.metricsOfAll() },
  });
  try {
    const url = await application.listen();
    if (isFirst) await application.welcome();
    primary.onCollect(() => application.ownMetrics());
    primary.tell({ type: 'serving', url });
    await Promise.race([
      primary.stopOrder.then(() => application.announceStop()),
      primary.handOverOrder.then(() => application.handOver()),
    ]);
  } finally {
    await application.stop();
  }
  primary.tell({ type: 'leaving', metrics: await application.ownMetrics() });
}
