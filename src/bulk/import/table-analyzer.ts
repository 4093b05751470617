import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { coalesce } from '../../core/concurrency';
import { Database } from '../../database/database';
import { raw, sql } from '../../database/sql';

/** The tables that imports fill. Those of change records are left to autovacuum: see the migration `analyze`. */
const TABLES = [
  'devices',
  'device_labels',
  'variable_correlations',
  'labels',
  'clouds',
  'regions',
  'region_labels',
  'cells',
  'cell_labels',
];

/** After an import of at least so many resources, and of at least this share of the project's, plans can be outdated. */
const MIN_WRITTEN = 500;
const MIN_SHARE = 0.1;

/**
 * Updates the planner's statistics after large imports. Autovacuum does so, too, but up to minutes later, and until then
 * filters can be slow. Before PostgreSQL 17, the service may not do it: PostgreSQL skips the tables with a warning.
 */
@Injectable()
export class TableAnalyzer implements OnModuleDestroy {
  private readonly log = new Logger('Import');
  private readonly analyze = coalesce(() => this.analyzeAll());
  private pending: Promise<unknown> = Promise.resolve();
  private isShuttingDown = false;

  constructor(private readonly database: Database) {}

  /**
   * Starts an update if an import was large, and does not wait for it. Failures are logged.
   * @param written the number of resources that the import created or updated
   */
  analyzeAfter(projectId: string, written: number): void {
    if (written >= MIN_WRITTEN)
      this.pending = Promise.all([this.pending, this.analyzeIfLarge(projectId, written)]);
  }

  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    await this.pending;
  }

  private async analyzeIfLarge(projectId: string, written: number): Promise<void> {
    try {
      // Not the share of all devices: of a project that is new, the planner expects that it has no rows.
      const maxDevices = Math.ceil(written / MIN_SHARE);
      const [devices] = await this.database.rows<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM devices t WHERE t.project_id = ${projectId}
          LIMIT ${maxDevices + 1}) AS counted`,
      );
      if ((devices?.count ?? 0) <= maxDevices) await this.analyze();
    } catch (error) {
      this.log.warn(`The statistics of the database were not updated after an import: ${String(error)}`);
    }
  }

  /** In separate statements, so that none locks several tables or takes long. */
  private async analyzeAll(): Promise<void> {
    for (const table of TABLES)
      if (!this.isShuttingDown) await this.database.rows(sql`ANALYZE ${raw(table)}`, 'custom');
  }
}
