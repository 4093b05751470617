import 'reflect-metadata';
import cluster from 'node:cluster';
import { readEnvironment, settingWarnings } from '../config/environment';
import { endForSure, endInFailure, say, sentenceOf } from './console';
import { serveAlone } from './serve-alone';
import { serveWithWorkers } from './cluster/serve-with-workers';
import { serveAsWorker } from './cluster/serve-as-worker';
import { openDatabase } from '../database/connection/open-database';

/** Starts the service; whatever stops it from starting is said in one sentence, and the exit code is 1. */
export function run(): void {
  const ended = cluster.isWorker ? serveAsWorker() : serve(stopSignal());
  ended.then(endForSure, (error: unknown) => {
    say(sentenceOf(error));
    endInFailure();
  });
}

/** Resolves when the process is asked to stop. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        resolve(signal);
      });
  });
}

async function serve(stopSignalled: Promise<NodeJS.Signals>): Promise<void> {
  // Before the settings are checked: a misspelled one may be the one that is missing.
  settingWarnings().forEach(say);
  const environment = readEnvironment();
  const stop: { by?: NodeJS.Signals } = {};
  const stopRequested = stopSignalled.then((signal) => {
    stop.by = signal;
    say(`stopping, by ${signal}`);
  });
  const database = await openDatabase({ environment, role: 'service', create: true, note: say });
  try {
    const serveThere = environment.WORKERS === 1 ? serveAlone : serveWithWorkers;
    await serveThere(environment, database, stopRequested);
  } finally {
    await database.close();
  }
  if (stop.by) say('stopped');
}
