import 'reflect-metadata';
import cluster from 'node:cluster';
import { createSecretBox, loadOrCreateKeys } from '../access-secrets/key-source';
import { readEnvironment, settingWarnings, type Environment } from '../config/environment';
import { asService } from '../database/connection/connection';
import { openDatabase, type OpenDatabase } from '../database/connection/open-database';
import { migrate } from '../database/migrate';
import { verifyServiceLogin } from '../database/roles/service-role';
import type { MetricsReader } from '../observability/metrics.service';
import { WorkerPool, runWorker } from './workers';
import { serviceManagerOf, type ServiceManager } from './service-manager';
import { exitWithFailure, forceExitLater, formatError, printStatus } from './console';
import { fileLimitWarning } from './file-limit';
import { serveMetrics } from './listen';

/** Starts the service. If it cannot start, it prints the reason in one sentence, and the exit code is 1. */
export function run(): void {
  const ended = cluster.worker ? runWorker(cluster.worker) : serve(stopSignal());
  ended.then(forceExitLater, (error: unknown) => {
    printStatus(formatError(error));
    exitWithFailure();
  });
}

/** Resolves when the process receives SIGINT or SIGTERM. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        resolve(signal);
      });
  });
}

async function serve(stopSignalled: Promise<NodeJS.Signals>): Promise<void> {
  const manager = serviceManagerOf(process.env);
  // Before the settings are validated: a misspelled name may be the reason that a setting is missing.
  settingWarnings().forEach(printStatus);
  const environment = readEnvironment();
  const stop: { signal?: NodeJS.Signals } = {};
  const stopRequested = stopSignalled.then((signal) => {
    stop.signal = signal;
    printStatus(`received ${signal}, shutting down`);
  });
  const database = await openDatabase({ environment, role: 'service', create: true, log: printStatus });
  try {
    await serveOn(database, environment, manager, stopRequested);
  } finally {
    await database.close();
  }
  if (stop.signal) printStatus('stopped');
}

/** What serves the requests: this process, or several workers. */
interface Server {
  readonly metrics: MetricsReader;
  /** @returns the URL */
  start(): Promise<string>;
  stop(): Promise<void>;
}

async function serveOn(
  database: OpenDatabase,
  environment: Environment,
  manager: ServiceManager,
  stopRequested: Promise<void>,
): Promise<void> {
  const { connection, dataDir } = database;
  const { WORKERS, SHUTDOWN_SECONDS, SHUTDOWN_NOTICE_SECONDS } = environment;
  await migrate(connection);
  const { as, privilegeWarning, versionWarning, indexWarning } = await verifyServiceLogin(connection);
  const secrets = loadOrCreateKeys(environment, dataDir, printStatus);
  let server: Server;
  if (WORKERS === 1) {
    // Imported here, so that the primary of several workers does not load the application.
    const { Application } = await import('./application.js');
    server = await Application.create({ environment, connection, as, secrets: createSecretBox(secrets) });
  } else {
    const config = { connection: asService(connection), as, secrets };
    server = new WorkerPool(WORKERS, config, SHUTDOWN_NOTICE_SECONDS + SHUTDOWN_SECONDS);
  }
  let metrics;
  try {
    metrics = await serveMetrics(environment, server.metrics);
    const url = await server.start();
    for (const warning of [privilegeWarning, versionWarning, indexWarning, fileLimitWarning(environment)])
      if (warning !== undefined) printStatus(warning);
    const status = `serving on ${url}${WORKERS === 1 ? '' : ` with ${String(WORKERS)} workers`}`;
    printStatus(status);
    await manager.ready(status);
    await stopRequested;
    manager.stopping();
    database.announceStop();
  } finally {
    await server.stop();
    metrics?.close();
  }
}
