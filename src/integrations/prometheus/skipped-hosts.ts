import type { LoggerService } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { ScrapeQuery } from './scrape-query';

/** In jobs: of so many it is remembered what was said last. */
const MOST_REMEMBERED = 1_000;

/** The hosts that one answer leaves out because a variable of theirs makes no sense. */
export class LeftOut {
  private count = 0;
  private first = '';

  add(host: string, key: string): void {
    if (this.count++ === 0) this.first = `${JSON.stringify(host)}, because of its ${JSON.stringify(key)}`;
  }

  /** What there is to be said; undefined: nothing. */
  get sentence(): string | undefined {
    if (this.count === 0) return undefined;
    return `No targets of Prometheus, for a variable of theirs makes no sense: ${String(this.count)} hosts. The first is ${this.first}.`;
  }
}

/** Tells the log which hosts are left out: not with every answer, which comes each minute, but when it has changed. */
export class LeftOutLog {
  private readonly said = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  constructor(private readonly log: Pick<LoggerService, 'warn'>) {}

  /** @param query tells the jobs of a project from each other: each leaves out hosts of its own */
  note(projectId: string, query: ScrapeQuery, { sentence }: LeftOut): void {
    const job = jobOf(projectId, query);
    if (sentence === undefined) {
      this.said.delete(job);
      return;
    }
    if (this.said.get(job) === sentence) return;
    this.said.set(job, sentence);
    this.log.warn(`Project ${projectId}: ${sentence}`);
  }
}

/** What is short, however long the query is: it may be any. */
function jobOf(projectId: string, { choice, port, keys }: ScrapeQuery): string {
  const { filters, others } = choice.filters;
  const given = filters.map(([{ name }, value]) => [name, value]);
  const asked = JSON.stringify([given, [...others], choice.activeOnly, port, keys]);
  return `${projectId} ${createHash('sha256').update(asked).digest('base64')}`;
}
