import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { KeySource } from '../../access-secrets/key-source';
import type { Connection, ServedAs } from '../../database/connection/connection';

/** What a worker is to work with. */
export interface Orders {
  /** As the service: a worker needs not know how the schema's owner connects. */
  readonly connection: Omit<Connection, 'owner'>;
  readonly as: ServedAs;
  /** The keys that seal access secrets. */
  readonly secrets: KeySource;
  /** Whether it is the first of this start, which says what is said once. */
  readonly isFirst: boolean;
}

/** The metrics of one process. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What the primary tells a worker. */
export type ToWorker =
  | { readonly type: 'start'; readonly orders: Orders }
  /** Another serves in its place: it takes no more connections, lets clients go elsewhere, and then ends. */
  | { readonly type: 'hand over' }
  /** It lets requests in flight finish, and ends. */
  | { readonly type: 'stop' }
  /** It is to tell its metrics. */
  | { readonly type: 'collect'; readonly question: number }
  /** The metrics of all, for which it has asked; absent if they cannot be had. */
  | { readonly type: 'metrics'; readonly question: number; readonly text?: string };

/** What a worker tells the primary. */
export type ToPrimary =
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'failed'; readonly sentence: string }
  | { readonly type: 'collected'; readonly question: number; readonly metrics: ProcessMetrics }
  /** Its last metrics: it is about to end. */
  | { readonly type: 'leaving'; readonly metrics: ProcessMetrics }
  /** It wants the metrics of all. */
  | { readonly type: 'scrape'; readonly question: number };

/** Questions to the other end of a channel that wait for their answers. */
export class Questions<T> {
  private asked = 0;
  private readonly waiting = new Map<number, (answer: T | undefined) => void>();

  /** @returns undefined if there is no answer any more, or not within so many milliseconds */
  async ask(milliseconds: number, send: (question: number) => void): Promise<T | undefined> {
    const question = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T | undefined>((resolve) => {
        this.waiting.set(question, resolve);
        timer = setTimeout(resolve, milliseconds, undefined);
        send(question);
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(question);
    }
  }

  answer(question: number, answer: T | undefined): void {
    this.waiting.get(question)?.(answer);
  }

  /** The other end is gone. */
  end(): void {
    for (const resolve of this.waiting.values()) resolve(undefined);
  }
}
