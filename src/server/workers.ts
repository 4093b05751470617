import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { type KeySource, createSecretBox } from '../access-secrets/key-source';
import { Backoff } from '../core/backoff';
import { StartupError, InventoryError } from '../core/errors';
import type { Connection, ServiceConnectionRole } from '../database/connection/connection';
import { printStatus, exitWithFailure, formatError } from './console';
import { readEnvironment } from '../config/environment';
import { requireMigrated } from '../database/migrate';

/** What a worker needs to serve, without the login of the schema's owner. */
interface WorkerConfig {
  readonly connection: Omit<Connection, 'owner'>;
  readonly as: ServiceConnectionRole;
  readonly secrets: KeySource;
}

/** Messages to a worker. `metrics` is the response to `scrape`. It has no `text` if the metrics cannot be collected. */
type PrimaryMessage =
  | { readonly type: 'start'; readonly config: WorkerConfig }
  | { readonly type: 'metrics'; readonly text?: string };

/** Messages from a worker. `ready`: it listens to messages, which would be lost before that. */
type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'scrape' };

/** A worker process, as the primary sees it. */
interface WorkerProcess {
  readonly worker: Worker;
  /** The URL. Rejects with a StartupError if the worker exits before it serves. */
  readonly serving: Promise<string>;
  /** Why it exited, as a sentence. */
  readonly exited: Promise<string>;
}

/** A worker that ran this long (ms) was healthy: the delay before its restart is reset. */
const HEALTHY_AFTER = 30_000;
const MIN_RESTART_DELAY = 100;
const MAX_RESTART_DELAY = 5_000;
/** How long (ms) after the shutdown timeout a worker is killed. */
const KILL_MARGIN = 10_000;

/** The worker processes of a primary, which share its port. */
export class WorkerPool {
  private readonly registry = new AggregatorRegistry();
  private readonly stopRequest = new AbortController();
  private readonly processes = new Set<WorkerProcess>();

  /** @param shutdownSeconds how long a worker may take to stop */
  constructor(
    private readonly size: number,
    private readonly config: WorkerConfig,
    private readonly shutdownSeconds: number,
  ) {
    // `advanced` preserves NaN, which JSON turns into null.
    cluster.setupPrimary({ exec: join(__dirname, '../main.js'), args: [], serialization: 'advanced' });
  }

  /** The metrics of all workers. Rejects if a worker does not respond within five seconds. */
  readonly metrics = (): Promise<string> => this.registry.clusterMetrics();

  /**
   * Starts the workers. From then on, each worker that exits is replaced.
   * @returns the URL
   * @throws StartupError if one of them does not start
   */
  async start(): Promise<string> {
    const processes = Array.from({ length: this.size }, () => this.fork());
    const [url = ''] = await Promise.all(processes.map(({ serving }) => serving));
    for (const process of processes) void this.keepReplacing(process);
    return url;
  }

  /** Stops the workers. They complete their requests in progress. */
  async stop(): Promise<void> {
    this.stopRequest.abort();
    const processes = [...this.processes];
    const kill = (signal: NodeJS.Signals) => {
      for (const { worker } of processes) worker.process.kill(signal);
    };
    kill('SIGTERM');
    const timer = setTimeout(kill, this.shutdownSeconds * 1000 + KILL_MARGIN, 'SIGKILL');
    await Promise.all(processes.map(({ exited }) => exited));
    clearTimeout(timer);
  }

  private async keepReplacing(first: WorkerProcess): Promise<void> {
    const { signal } = this.stopRequest;
    const backoff = new Backoff(MIN_RESTART_DELAY, MAX_RESTART_DELAY);
    for (let current = first; ; current = this.fork()) {
      const startedAt = Date.now();
      const pid = String(current.worker.process.pid);
      if (current !== first)
        current.serving.then(
          () => {
            printStatus(`Worker ${pid} is serving.`);
          },
          () => undefined,
        );
      const reason = await current.exited;
      if (signal.aborted) return;
      printStatus(`Worker ${pid} exited: ${reason} Starting another one.`);
      if (Date.now() - startedAt > HEALTHY_AFTER) backoff.reset();
      try {
        await delay(backoff.next(), undefined, { signal });
      } catch {
        return; // The pool is stopping.
      }
    }
  }

  private fork(): WorkerProcess {
    const worker = cluster.fork({ DATABASE_OWNER_URL: '' });
    let failure: string | undefined;
    const exited = new Promise<string>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        resolve(failure ?? `${signal ?? `exit code ${String(code)}`}.`);
      });
      // A process that cannot be created emits no `exit`.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) resolve(`${error.message}.`);
      });
    });
    const serving = new Promise<string>((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        switch (message.type) {
          case 'ready':
            sendToWorker(worker, { type: 'start', config: this.config });
            break;
          case 'serving':
            resolve(message.url);
            break;
          case 'failed':
            failure = message.reason;
            break;
          case 'scrape':
            void this.sendMetrics(worker);
            break;
        }
      });
      void exited.then((reason) => {
        reject(new StartupError(failure ?? `A worker exited while it was starting: ${reason}`));
      });
    });
    const process = { worker, serving, exited };
    this.processes.add(process);
    void exited.then(() => this.processes.delete(process));
    return process;
  }

  private async sendMetrics(worker: Worker): Promise<void> {
    try {
      sendToWorker(worker, { type: 'metrics', text: await this.metrics() });
    } catch (error) {
      printStatus(`Cannot collect the metrics of all workers: ${String(error)}`);
      sendToWorker(worker, { type: 'metrics' });
    }
  }
}

function sendToWorker(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message);
}

/** Serves as one of several processes, until SIGTERM. */
export async function runWorker(worker: Worker): Promise<void> {
  // Ctrl-C sends SIGINT to the workers, too. The primary stops them with SIGTERM.
  process.on('SIGINT', () => undefined);
  const stopRequested = new Promise((resolve) => process.on('SIGTERM', resolve));
  // A message cannot be sent: the primary has ended. Node would end this process only when it has noticed that, too.
  worker.on('error', () => process.exit(1));
  // Responds to the primary's scrapes from now on, without metrics until the application exists.
  AggregatorRegistry.setRegistries([]);
  new AggregatorRegistry();
  const config = new Promise<WorkerConfig>((resolve) => {
    worker.on('message', (message: PrimaryMessage) => {
      if (message.type === 'start') resolve(message.config);
    });
  });
  sendToPrimary(worker, { type: 'ready' });
  try {
    await serve(worker, await config, stopRequested);
  } catch (error) {
    sendToPrimary(worker, { type: 'failed', reason: formatError(error) });
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
    sendToPrimary(worker, { type: 'serving', url: await application.start() });
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
    sendToPrimary(worker, { type: 'scrape' });
  });
}

const sendToPrimary = (worker: Worker, message: WorkerMessage): boolean => worker.send(message);
