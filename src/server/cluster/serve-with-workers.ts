import type { Environment } from '../../config/environment';
import { loadOrCreateKeys } from '../../access-secrets/key-source';
import { asService } from '../../database/connection/connection';
import { migrate } from '../../database/migrate';
import type { OpenDatabase } from '../../database/connection/open-database';
import { serviceLogin } from '../../database/roles/service-role';
import { isatty } from 'node:tty';
import { serveMetrics } from '../metrics-port';
import { say } from '../console';
import { Workers } from './worker-pool';

/** Has several processes serve on one port, until this one, the primary, is asked to stop. */
export async function serveWithWorkers(
  environment: Environment,
  database: OpenDatabase,
  stopRequested: Promise<void>,
): Promise<void> {
  const { connection, dataDir } = database;
  const hangUp = new HangUp();
  await migrate(connection);
  const { as, weakness } = await serviceLogin(connection);
  const workers = new Workers({
    count: environment.WORKERS,
    orders: {
      connection: asService(connection),
      as,
      secrets: loadOrCreateKeys(environment, dataDir, say),
    },
    seconds: environment.SHUTDOWN_SECONDS,
    noticeSeconds: environment.SHUTDOWN_NOTICE_SECONDS,
    note: say,
  });
  const metrics = await serveMetrics(environment, () => workers.metrics());
  try {
    const isOver = Promise.race([stopRequested, hangUp.ofTerminal]);
    const url = await Promise.race([workers.start(), isOver]);
    if (typeof url === 'string') {
      if (weakness !== undefined) say(weakness);
      say(`serving on ${url} with ${String(environment.WORKERS)} processes`);
      hangUp.do(() => void workers.renew());
      await Promise.race([isOver, workers.lost]);
    }
    database.announceStop();
  } finally {
    metrics?.close();
    await workers.stop();
  }
}

/** SIGHUP: what a terminal sends when it is closed, and what a person sends who wants the workers renewed. */
class HangUp {
  /** Resolves when the terminal in which this was started is closed. */
  readonly ofTerminal: Promise<void>;
  private renew: () => void = () => undefined;

  constructor() {
    const hasTerminal = isatty(0);
    this.ofTerminal = new Promise((resolve) => {
      process.on('SIGHUP', () => {
        if (hasTerminal && !isatty(0)) resolve();
        else this.renew();
      });
    });
  }

  do(renew: () => void): void {
    this.renew = renew;
  }
}
