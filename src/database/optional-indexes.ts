import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable';
import { sql } from './sql';

/** Indexes that a migration creates only if the database has the extension that they need. */
@Injectable()
export class OptionalIndexes {
  /** Cached, because the schema does not change while the service runs. */
  private readonly existing = new Map<string, boolean>();

  /** Whether an index exists. */
  async has(name: string, on: Queryable): Promise<boolean> {
    const cached = this.existing.get(name);
    if (cached !== undefined) return cached;
    // One that is being created, or whose creation was interrupted, is not valid.
    const rows = await on.rows(
      sql`SELECT FROM pg_index WHERE indexrelid = to_regclass(${name}) AND indisvalid`,
    );
    this.existing.set(name, rows.length > 0);
    return rows.length > 0;
  }
}
