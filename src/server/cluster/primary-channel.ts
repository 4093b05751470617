import type { Worker } from 'node:cluster';
import { InventoryError } from '../../core/errors/inventory-error';
import { Questions, type Orders, type ProcessMetrics, type ToPrimary, type ToWorker } from './ipc-protocol';
import { say } from '../console';

/** In milliseconds: the primary asks the others first. */
const METRICS_PATIENCE = 10_000;

/** The process that has started this one, as a worker speaks to it. */
export class Primary {
  readonly orders: Promise<Orders>;
  readonly handOverOrder: Promise<unknown>;
  readonly stopOrder: Promise<unknown>;
  private readonly questions = new Questions<string>();

  constructor(private readonly worker: Worker) {
    this.orders = this.first('start').then(({ orders }) => orders);
    this.handOverOrder = this.first('hand over');
    this.stopOrder = this.first('stop');
    this.on('metrics', ({ question, text }) => {
      this.questions.answer(question, text);
    });
  }

  tell(message: ToPrimary): void {
    if (this.worker.isConnected()) this.worker.send(message);
  }

  /** Tells this process's metrics whenever the primary collects those of all. */
  onCollect(metrics: () => Promise<ProcessMetrics>): void {
    this.on('collect', ({ question }) => {
      metrics().then(
        (collected) => {
          this.tell({ type: 'collected', question, metrics: collected });
        },
        (error: unknown) => {
          // Whoever asks takes what was told last.
          say(`The metrics of a process cannot be collected: ${String(error)}`);
        },
      );
    });
  }

  /** The metrics of all processes. @throws InventoryError 503 if they cannot be had */
  async metricsOfAll(): Promise<string> {
    const text = await this.questions.ask(METRICS_PATIENCE, (question) => {
      this.tell({ type: 'scrape', question });
    });
    if (text !== undefined) return text;
    throw new InventoryError('unavailable', 'The metrics cannot be collected at present.', [], {
      'retry-after': '5',
    });
  }

  private first<T extends ToWorker['type']>(type: T): Promise<Extract<ToWorker, { type: T }>> {
    return new Promise((resolve) => {
      this.on(type, resolve);
    });
  }

  private on<T extends ToWorker['type']>(
    type: T,
    take: (message: Extract<ToWorker, { type: T }>) => void,
  ): void {
    this.worker.on('message', (message: ToWorker) => {
      if (message.type === type) take(message as Extract<ToWorker, { type: T }>);
    });
  }
}
