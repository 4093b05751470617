import type { QueryResultRow } from 'pg';
import { withClient } from './database';
import type { MeasuredServer } from './load';
import type { Program } from './program';
import { startFloor, startService, type FloorKind, type ServiceUnderTest } from './service';

/** The servers of a run. Each is started on first use, and reused. */
export class Stage {
  private readonly programs = new Map<string, Promise<Program>>();

  constructor(
    readonly server: MeasuredServer,
    readonly tested: ServiceUnderTest,
  ) {}

  service(databaseUrl: string): Promise<Program> {
    return this.program(`service ${databaseUrl}`, () => startService(this.tested, databaseUrl));
  }

  floor(kind: FloorKind, databaseUrl: string): Promise<Program> {
    return this.program(`${kind} ${databaseUrl}`, () => startFloor(kind, databaseUrl));
  }

  /** Stops the servers, so that the next case starts new ones. */
  async clear(): Promise<void> {
    const programs = await Promise.all(this.programs.values());
    this.programs.clear();
    await Promise.all(programs.map((program) => program.stop()));
  }

  /** Runs a query that prepares a case. */
  rows<T extends QueryResultRow>(
    databaseUrl: string,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> {
    return withClient(databaseUrl, async (client) => (await client.query<T>(text, [...values])).rows);
  }

  private program(name: string, start: () => Promise<Program>): Promise<Program> {
    const present = this.programs.get(name);
    if (present) return present;
    const starting = start();
    this.programs.set(name, starting);
    return starting;
  }
}
