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

/**
 * An import of at least so many resources can outdate plans if it created this share of its project's devices, of which
 * the planner may know nothing, or wrote this share of all devices.
 */
const MIN_WRITTEN = 500;
const MIN_SHARE = 0.1;

/** The number of resources that an import wrote. */
interface ImportCounts {
  readonly created: number;
  readonly updated: number;
}

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
   * Updates of a small project do not count: they are frequent, and `ANALYZE` interrupts an autovacuum of its table.
   */
  analyzeAfter(projectId: string, counts: ImportCounts): void {
    if (counts.created + counts.updated >= MIN_WRITTEN)
      this.pending = Promise.all([this.pending, this.analyzeIfLarge(projectId, counts)]);
  }

  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    await this.pending;
  }

  private async analyzeIfLarge(projectId: string, { created, updated }: ImportCounts): Promise<void> {
    try {
      const maxDevices = Math.ceil(created / MIN_SHARE);
      const [project] = await this.database.rows<{ devices: number }>(
        sql`SELECT count(*) AS devices FROM (SELECT FROM devices t WHERE t.project_id = ${projectId}
          LIMIT ${maxDevices + 1}) AS counted`,
      );
      const [all] = await this.database.rows<{ devices: number }>(
        sql`SELECT reltuples AS devices FROM pg_class WHERE oid = 'devices'::regclass`,
      );
      const isLarge =
        (project?.devices ?? 0) <= maxDevices || created + updated >= MIN_SHARE * (all?.devices ?? 0);
      if (isLarge) await this.analyze();
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
