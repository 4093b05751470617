import 'reflect-metadata';
import cluster from 'node:cluster';
import { readEnvironment } from './config/environment';
import { endForSure, endInFailure, say, sentenceOf } from './serving/say';
import { serveAlone } from './serving/single-process';
import { serveWithWorkers } from './serving/several-processes';
import { serveAsWorker } from './serving/worker';
import { openDatabase } from './shared/persistence/open-database';

/** Starts the service; whatever stops it from starting is said in one sentence, and the exit code is 1. */
export function run(): void {
  const ended = cluster.isWorker ? serveAsWorker() : serve(stopSignal());
  ended.then(endForSure, (error: unknown) => {
    say(sentenceOf(error));
    endInFailure();
  });
}

/** Resolves when the process is asked to stop. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      resolve();
    });
    process.once('SIGTERM', () => {
      resolve();
    });
  });
}

async function serve(stopRequested: Promise<void>): Promise<void> {
  const environment = readEnvironment();
  const database = await openDatabase({ environment, role: 'service', create: true, note: say });
  try {
    const serveThere = environment.WORKERS === 1 ? serveAlone : serveWithWorkers;
    await serveThere(environment, database, stopRequested);
  } finally {
    await database.close();
  }
}
