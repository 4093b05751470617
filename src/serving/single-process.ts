import type { Environment } from '../config/environment';
import { secretsKey } from '../config/secrets-key';
import { hasServiceRole, migrate } from '../shared/persistence/migrate';
import type { OpenDatabase } from '../shared/persistence/open-database';
import { Application } from './application';
import { serveMetrics } from './metrics-port';
import { say } from './say';

/** Serves in this process, until it is asked to stop. */
export async function serveAlone(
  environment: Environment,
  database: OpenDatabase,
  stopRequested: Promise<void>,
): Promise<void> {
  const { connection, dataDir } = database;
  await migrate(connection);
  const application = await Application.create({
    environment,
    connection,
    as: (await hasServiceRole(connection)) ? 'service' : 'owner',
    secretsKey: secretsKey(environment.SECRETS_KEY, dataDir, say),
  });
  let metrics;
  try {
    metrics = await serveMetrics(environment, application.metrics);
    say(`serving on ${await application.listen()}`);
    await application.welcome();
    await stopRequested;
    database.announceStop();
    await application.announceStop();
  } finally {
    metrics?.close();
    await application.stop();
  }
}
