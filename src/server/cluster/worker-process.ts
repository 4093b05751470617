import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../core/errors/startup-error';
import { Questions, type Orders, type ProcessMetrics, type ToPrimary, type ToWorker } from './ipc-protocol';

/** What the primary does for a worker. */
interface Services {
  /** The metrics of all processes. */
  readonly metricsOfAll: () => Promise<string>;
}

/** In milliseconds: how long a worker may take to tell its metrics. A check against a hard schema may keep it busy. */
const METRICS_PATIENCE = 5_000;
/** In milliseconds: how long a worker may take to end when all requests are over, or cut. */
const END_PATIENCE = 5_000;

/** A worker, as the primary sees it: a process that serves, from its start to its end. */
export class WorkerProcess {
  /** Where it serves, once it does. Rejects with a StartupError if it ends before. */
  readonly serving: Promise<string>;
  /** How it ended. */
  readonly ended: Promise<string>;
  private readonly worker: Worker;
  private readonly questions = new Questions<ProcessMetrics>();
  private known: ProcessMetrics = [];
  private failure: string | undefined;

  constructor(
    orders: Orders,
    private readonly services: Services,
  ) {
    this.worker = cluster.fork({ DATABASE_OWNER_URL: '' });
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code: number | null, signal: string | null) => {
        this.questions.end();
        resolve(signal ?? `exit code ${String(code)}`);
      });
      this.worker.on('error', (error) => {
        // A process that never was does not exit. What goes wrong with the channel of another is followed by its end.
        if (this.worker.process.pid === undefined) resolve(error.message);
      });
    });
    this.serving = new Promise((resolve, reject) => {
      this.worker.on('message', (message: ToPrimary) => {
        if (message.type === 'serving') resolve(message.url);
        else this.take(message);
      });
      void this.ended.then((ending) => {
        reject(new StartupError(this.failure ?? `A worker ended while it was starting (${ending}).`));
      });
    });
    // Who asks for it gets to hear of it.
    this.serving.catch(() => undefined);
    this.tell({ type: 'start', orders });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** What it told of its metrics last. */
  get lastMetrics(): ProcessMetrics {
    return this.known;
  }

  /** Its metrics by now; if it cannot tell them, those that it told last. */
  async metrics(): Promise<ProcessMetrics> {
    const told = await this.questions.ask(METRICS_PATIENCE, (question) => {
      this.tell({ type: 'collect', question });
    });
    return told ?? this.known;
  }

  /** Has it end when others serve its clients. */
  async handOver(seconds: number): Promise<void> {
    this.tell({ type: 'hand over' });
    // It waits for idle clients first, for a few seconds.
    await this.endWithin(2 * END_PATIENCE + seconds * 1000);
  }

  /** Has it end when its requests are over, and at the latest when so many seconds and a few are. */
  async stop(seconds: number): Promise<void> {
    this.tell({ type: 'stop' });
    await this.endWithin(END_PATIENCE + seconds * 1000);
  }

  private async endWithin(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    void delay(milliseconds, undefined, { signal: timer.signal }).then(
      () => this.worker.process.kill('SIGKILL'),
      () => undefined,
    );
    await this.ended;
    timer.abort();
  }

  private take(message: ToPrimary): void {
    switch (message.type) {
      case 'failed':
        this.failure = message.sentence;
        break;
      case 'collected':
        this.known = message.metrics;
        this.questions.answer(message.question, message.metrics);
        break;
      case 'leaving':
        this.known = message.metrics;
        break;
      case 'scrape':
        void this.services.metricsOfAll().then(
          (text) => {
            this.tell({ type: 'metrics', question: message.question, text });
          },
          () => {
            this.tell({ type: 'metrics', question: message.question });
          },
        );
        break;
      case 'serving':
        break;
    }
  }

  private tell(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.send(message);
  }
}
