import type { LoggerService } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { ScrapeQuery } from './scrape-query';

/** The maximum number of jobs whose last message is remembered. */
const MAX_JOBS = 1_000;

/** The hosts that a response skips because a variable is invalid. */
export class SkippedHosts {
  private count = 0;
  private first = '';

  add(host: string, key: string): void {
    if (this.count++ === 0) this.first = `${JSON.stringify(host)} (${JSON.stringify(key)})`;
  }

  /** The log message; undefined if no host was skipped. */
  get message(): string | undefined {
    if (this.count === 0) return undefined;
    return `Prometheus service discovery skips ${String(this.count)} hosts with an invalid variable. The first is ${this.first}.`;
  }
}

/** Logs skipped hosts when they change. Prometheus reads the targets every minute, so not every response is logged. */
export class SkippedHostsLog {
  private readonly lastMessages = new LRUCache<string, string>({ max: MAX_JOBS });

  constructor(private readonly log: Pick<LoggerService, 'warn'>) {}

  /** @param query identifies the scrape job: each job of a project skips its own hosts */
  logIfChanged(projectId: string, query: ScrapeQuery, { message }: SkippedHosts): void {
    const job = jobKey(projectId, query);
    if (message === undefined) {
      this.lastMessages.delete(job);
      return;
    }
    if (this.lastMessages.get(job) === message) return;
    this.lastMessages.set(job, message);
    this.log.warn(`Project ${projectId}: ${message}`);
  }
}

/** Identifies a job by a hash, because a query can be long. */
function jobKey(projectId: string, { selection, port, keys }: ScrapeQuery): string {
  const { filters, others } = selection.filters;
  const filterValues = filters.map(([{ name }, value]) => [name, value]);
  const parameters = JSON.stringify([filterValues, [...others], selection.activeOnly, port, keys]);
  return `${projectId} ${createHash('sha256').update(parameters).digest('base64')}`;
}
