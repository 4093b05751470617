import cluster from 'node:cluster';
import { join } from 'node:path';
import { MetricsOfAll } from '../../observability/aggregated-metrics';
import { StartupError } from '../../core/errors/startup-error';
import type { Orders } from './ipc-protocol';
import { Post } from './worker-slot';
import { WorkerProcess } from './worker-process';

/** How workers are run. */
interface Plan {
  readonly count: number;
  readonly orders: Omit<Orders, 'isFirst'>;
  /** How long requests in flight may take when a worker is to end. */
  readonly seconds: number;
  /** How long they go on serving before that, when all are to end. */
  readonly noticeSeconds: number;
  /** Told, in a sentence, what a person should know. */
  readonly note: (sentence: string) => void;
}

/** While none serves, so many may fail to start at one post, in a quarter of a minute, until that is hopeless. */
const HOPELESS_AFTER = 8;

/** The processes that serve: always as many as there should be, for as long as that is possible. */
export class Workers {
  /** Rejects with a StartupError when none serves and none can be started. */
  readonly lost: Promise<never>;
  private readonly stopRequest = new AbortController();
  private readonly alive = new Set<WorkerProcess>();
  private readonly serving = new Set<WorkerProcess>();
  private readonly departed = new MetricsOfAll();
  private posts: readonly Post[] = [];
  private renewal: Promise<void> | undefined;
  private giveUp: (error: StartupError) => void = () => undefined;

  constructor(private readonly plan: Plan) {
    // `npm start` is another program, which would build again. Buffers and NaN pass as they are.
    cluster.setupPrimary({
      exec: join(__dirname, '../../main.js'),
      args: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.lost = new Promise((_, reject) => {
      this.giveUp = reject;
    });
    this.lost.catch(() => undefined);
  }

  /**
   * Starts them all.
   * @returns where they serve
   * @throws StartupError if one of them cannot
   */
  async start(): Promise<string> {
    const first = Array.from({ length: this.plan.count }, (_, i) => this.hire(i === 0));
    const [url = ''] = await Promise.all(first.map((worker) => worker.serving));
    this.posts = first.map((worker) =>
      Post.with(worker, {
        hire: () => this.hire(false),
        stopRequest: this.stopRequest.signal,
        note: this.plan.note,
        failed: (error, inARow) => {
          this.weigh(error, inARow);
        },
      }),
    );
    return url;
  }

  /** Puts a new worker in each one's place, one after the other; while one renewal is under way there is no other. */
  async renew(): Promise<void> {
    const { note } = this.plan;
    if (this.renewal) {
      note('the workers are being renewed already.');
      return;
    }
    this.renewal = this.renewEach();
    try {
      await this.renewal;
      if (!this.isStopping) note('the workers are renewed.');
    } catch (error) {
      if (!this.isStopping) note(`the workers cannot be renewed, and stay: ${messageOf(error)}`);
    } finally {
      this.renewal = undefined;
    }
  }

  /** Ends them all, as soon as their requests are over. */
  async stop(): Promise<void> {
    this.stopRequest.abort();
    const { seconds, noticeSeconds } = this.plan;
    await Promise.all([...this.alive].map((worker) => worker.stop(noticeSeconds + seconds)));
  }

  /** The metrics of all, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const present = await Promise.all([...this.serving].map((worker) => worker.metrics()));
    return this.departed.textWith(present);
  }

  private get isStopping(): boolean {
    return this.stopRequest.signal.aborted;
  }

  private async renewEach(): Promise<void> {
    for (const post of this.posts) if (!this.isStopping) await post.renew(this.plan.seconds);
  }

  private hire(isFirst: boolean): WorkerProcess {
    const worker = new WorkerProcess(
      { ...this.plan.orders, isFirst },
      { metricsOfAll: () => this.metrics() },
    );
    this.alive.add(worker);
    worker.serving.then(
      () => {
        this.serving.add(worker);
      },
      () => undefined,
    );
    void worker.ended.then(() => {
      this.alive.delete(worker);
      this.serving.delete(worker);
      this.departed.keep(worker.lastMetrics);
    });
    return worker;
  }

  /** A worker could not be started: that is told, or it is the end. */
  private weigh(error: unknown, inARow: number): void {
    if (this.serving.size > 0 || inARow < HOPELESS_AFTER) this.plan.note(messageOf(error));
    else
      this.giveUp(
        new StartupError(
          `No worker serves any more, and ${String(inARow)} in a row could not be started: ${messageOf(error)}`,
        ),
      );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
