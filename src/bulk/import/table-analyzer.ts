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

/** An import that creates at least so many resources, and this share of the project's devices, can outdate plans. */
const MIN_CREATED = 500;
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
   * @param created the number of resources that the import created. Updates are left to autovacuum: they are frequent,
   *   and each `ANALYZE` interrupts an autovacuum of its table
   */
  analyzeAfter(projectId: string, created: number): void {
    if (created >= MIN_CREATED)
      this.pending = Promise.all([this.pending, this.analyzeIfLarge(projectId, created)]);
  }

  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    await this.pending;
  }

  private async analyzeIfLarge(projectId: string, created: number): Promise<void> {
    try {
      // Not the share of all devices: of a project that is new, the planner expects that it has no rows.
      const maxDevices = Math.ceil(created / MIN_SHARE);
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
