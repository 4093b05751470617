import type { Response } from 'supertest';
import { sendRaw } from './http-exchange';
import { until } from './until';

/** The header with the position of a write, for reads from replicas. */
export const CONSISTENCY_TOKEN = 'X-Consistency-Token';

/** The token that the answer to a write came with. */
export function tokenOf(answer: Response): string {
  const token = answer.headers[CONSISTENCY_TOKEN.toLowerCase()];
  if (token === undefined) throw new Error(`${String(answer.status)} without a token: ${answer.text}`);
  return token;
}

/** Where a service reads, as its metrics tell. */
export class ReadCounts {
  constructor(private readonly url: string) {}

  /** How many requests were to be read from replicas, or from the primary. */
  async of(server: 'primary' | 'replicas'): Promise<number> {
    let sum = 0;
    for (const [name, count] of await this.each())
      if ((name === 'primary') === (server === 'primary')) sum += count;
    return sum;
  }

  /** The same, server by server. */
  async each(): Promise<Map<string, number>> {
    const lines = await this.values('muster_database_reads_total');
    return new Map(lines.map(([labels, value]) => [/server="(.*)"/.exec(labels)?.[1] ?? '', value]));
  }

  /** How many replicas are read from. */
  async used(): Promise<number> {
    return (await this.values('muster_replica_used')).reduce((sum, [, value]) => sum + value, 0);
  }

  /** Waits until so many are. */
  async replicasAreUsed(count: number): Promise<void> {
    await until(`${String(count)} replicas are read from`, 60, async () => (await this.used()) === count);
  }

  private async values(name: string): Promise<[string, number][]> {
    const { text } = await sendRaw(`${this.url}/metrics`);
    return [...text.matchAll(new RegExp(`^${name}(\\{.*\\}) (\\S+)$`, 'gm'))].map(
      ([, labels = '', value]) => [labels, Number(value)],
    );
  }
}
