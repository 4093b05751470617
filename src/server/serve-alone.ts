import type { Environment } from '../config/environment';
import { createSecretBox, loadOrCreateKeys } from '../access-secrets/key-source';
import { migrate } from '../database/migrate';
import type { OpenDatabase } from '../database/connection/open-database';
import { serviceLogin } from '../database/roles/service-role';
import { serveMetrics } from './metrics-port';
import { say } from './console';

/** Serves in this process, until it is asked to stop. */
export async function serveAlone(
  environment: Environment,
  database: OpenDatabase,
  stopRequested: Promise<void>,
): Promise<void> {
  const { connection, dataDir } = database;
  await migrate(connection);
  const { as, weakness } = await serviceLogin(connection);
  const { Application } = await import('./application.js');
  const application = await Application.create({
    environment,
    connection,
    as,
    secrets: createSecretBox(loadOrCreateKeys(environment, dataDir, say)),
  });
  let metrics;
  try {
    metrics = await serveMetrics(environment, application.metrics);
    const url = await application.listen();
    if (weakness !== undefined) say(weakness);
    say(`serving on ${url}`);
    await application.welcome();
    await stopRequested;
    database.announceStop();
    await application.announceStop();
  } finally {
    metrics?.close();
    await application.stop();
  }
}
