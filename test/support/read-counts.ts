import type { Response } from 'supertest';
import { sendRaw } from './http-exchange';
import { until } from './until';

/** The header with the position of a write, for reads from replicas. */
export const CONSISTENCY_TOKEN = 'X-Consistency-Token';

/** The consistency token in the response to a write. */
export function tokenOf(response: Response): string {
  const token = response.headers[CONSISTENCY_TOKEN.toLowerCase()];
  if (token === undefined) throw new Error(`${String(response.status)} without a token: ${response.text}`);
  return token;
}

/** Counts a service's reads per server by its metrics. */
export class ReadCounts {
  constructor(private readonly url: string) {}

  /** The number of reads from the primary or from all replicas. */
  async of(server: 'primary' | 'replicas'): Promise<number> {
    let sum = 0;
    for (const [name, count] of await this.each())
      if ((name === 'primary') === (server === 'primary')) sum += count;
    return sum;
  }

  /** The number of reads by server. */
  async each(): Promise<Map<string, number>> {
    const lines = await this.values('muster_database_reads_total');
    return new Map(lines.map(([labels, value]) => [/server="(.*)"/.exec(labels)?.[1] ?? '', value]));
  }

  /** The number of replicas in use. */
  async used(): Promise<number> {
    return (await this.values('muster_replica_used')).reduce((sum, [, value]) => sum + value, 0);
  }

  /** Waits until this number of replicas is in use. */
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
