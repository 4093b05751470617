import type { QueryResultRow } from 'pg';
import { withClient } from './database';
import type { Program } from './program';
import { startFloor, startService, type FloorKind, type ServiceUnderTest } from './service';

/** The servers of a run: each is started when a case first wants it, and stays. */
export class Stage {
  private readonly programs = new Map<string, Promise<Program>>();

  constructor(
    /** PostgreSQL's first process. */
    readonly postmaster: number,
    readonly tested: ServiceUnderTest,
  ) {}

  service(databaseUrl: string): Promise<Program> {
    return this.program(`service ${databaseUrl}`, () => startService(this.tested, databaseUrl));
  }

  floor(kind: FloorKind, databaseUrl: string): Promise<Program> {
    return this.program(`${kind} ${databaseUrl}`, () => startFloor(kind, databaseUrl));
  }

  /** Ends the servers, so that what comes next starts with fresh ones. */
  async clear(): Promise<void> {
    const programs = await Promise.all(this.programs.values());
    this.programs.clear();
    await Promise.all(programs.map((program) => program.stop()));
  }

  /** Rows of a statement that finds out what a case asks for. */
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
