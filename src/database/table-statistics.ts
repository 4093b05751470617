import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { coalesce } from '../core/concurrency';
import { Database, type Transaction } from './database';
import type { ResourceMapping } from './resource-mapping';
import { sql } from './sql';

/**
 * The tables that can grow fast. The function `analyze_table` has the same list, so a new table needs a migration, too. Those
 * of change records are left to autovacuum: see the first migration.
 */
const ANALYZED_TABLES = [
  'devices',
  'device_labels',
  'variable_correlations',
  'variable_values',
  'labels',
  'clouds',
  'regions',
  'region_labels',
  'cells',
  'cell_labels',
];

/**
 * A change can outdate plans if it writes at least `MIN_WRITTEN` resources and these are at least `MIN_SHARE` of its project's
 * devices, of which only created ones count, or of all devices. Autovacuum does the rest when a tenth of a table has changed:
 * nobody waits for that, while an update of the statistics of a million devices that are not in memory takes 38 seconds.
 */
const MIN_WRITTEN = 500;
const MIN_SHARE = 0.2;

/** How many resources a change wrote. */
export interface WriteCounts {
  readonly created: number;
  readonly updated: number;
}

/**
 * Updates the planner's statistics after large changes, and after many small ones. Autovacuum does so, too, but up to
 * minutes later. Until then, PostgreSQL plans for the few rows that it knows: filters and device counts can be slow, and each
 * check of a foreign key can read all rows of a project.
 */
@Injectable()
export class TableAnalyzer implements OnModuleDestroy {
  private readonly log = new Logger('Database');
  private readonly analyze = coalesce(() => this.analyzeAll());
  /** How many resources small changes have created since the last update, by project. */
  private readonly created = new Map<string, number>();
  private pending: Promise<unknown> = Promise.resolve();
  private isShuttingDown = false;

  constructor(private readonly database: Database) {}

  /**
   * Updates the statistics if necessary. The promise of a large change resolves afterwards, so that the next request finds
   * them. Updates of resources only count within one change: small ones are frequent, and `ANALYZE` interrupts an autovacuum
   * of its table. Failures are logged.
   */
  async analyzeAfter(projectId: string, counts: WriteCounts): Promise<void> {
    const created = (this.created.get(projectId) ?? 0) + counts.created;
    if (created + counts.updated < MIN_WRITTEN) {
      if (counts.created > 0) this.created.set(projectId, created);
      return;
    }
    this.created.delete(projectId);
    const analyzed = this.analyzeIfLarge(projectId, { ...counts, created });
    this.pending = Promise.all([this.pending, analyzed]).then(() => undefined);
    if (counts.created + counts.updated >= MIN_WRITTEN) await analyzed;
  }

  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    await this.pending;
  }

  private async analyzeIfLarge(projectId: string, { created, updated }: WriteCounts): Promise<void> {
    try {
      const maxDevices = Math.ceil(created / MIN_SHARE);
      const [project] = await this.database.rows<{ devices: number }>(
        sql`SELECT count(*) AS devices FROM (SELECT FROM devices t WHERE t.project_id = ${projectId}
          LIMIT ${maxDevices + 1}) AS counted`,
      );
      const isLarge =
        (project?.devices ?? 0) <= maxDevices ||
        created + updated >= MIN_SHARE * (await knownRows(this.database, 'devices'));
      if (isLarge) await this.analyze();
    } catch (error) {
      this.log.warn(`The statistics of the database were not updated after a large change: ${String(error)}`);
    }
  }

  /** In separate statements, so that none locks several tables or takes long. */
  private async analyzeAll(): Promise<void> {
    for (const table of ANALYZED_TABLES) {
      if (this.isShuttingDown) return;
      if (!(await this.database.analyze(table))) {
        // Probably a long import, which has locked the other tables, too, and updates their statistics.
        this.log.warn(`The statistics are left to autovacuum, because another session has locked ${table}.`);
        return;
      }
    }
  }
}

/** The number of new rows from which wrong statistics are slow. */
const MIN_GROWTH = 100;
/**
 * By how much the rows of a transaction grow between two updates of the statistics. PostgreSQL estimates rows by the current
 * size of a table, so what becomes wrong meanwhile is only how they are distributed.
 */
const GROWTH_FACTOR = 16;

/**
 * The tables that one transaction fills. PostgreSQL plans the checks of foreign keys, and keeps the plans, while it knows
 * nothing of the rows of the transaction: then each check may read all of them. So the statistics are updated whenever the
 * rows of the transaction have grown by `GROWTH_FACTOR`, if they are a considerable share of the table. The lock of `ANALYZE`, which is held
 * until the end of the transaction, keeps autovacuum from replacing these statistics by those of the committed rows.
 */
export class FilledTables {
  private readonly tables = new Map<string, { rows: number; next: number }>();

  constructor(private readonly tx: Transaction) {}

  /** Called when rows were created. */
  async created(mapping: ResourceMapping, rows: number): Promise<void> {
    if (!ANALYZED_TABLES.includes(mapping.table)) return;
    const table = this.tables.get(mapping.table) ?? { rows: 0, next: MIN_GROWTH };
    this.tables.set(mapping.table, table);
    table.rows += rows;
    if (table.rows < table.next) return;
    const isLarge = table.rows >= MIN_SHARE * (await knownRows(this.tx, mapping.table));
    // Tried again with the next rows if another import has the lock.
    if (!isLarge || (await this.analyze(mapping))) table.next = GROWTH_FACTOR * table.rows;
  }

  /** @returns whether the table of the mapping was analyzed */
  private async analyze(mapping: ResourceMapping): Promise<boolean> {
    const related = [
      ...(mapping.labels ? [mapping.labels.table] : []),
      ...(mapping.carriesVariables ? ['variable_correlations', 'variable_values'] : []),
    ];
    for (const name of related) await this.tx.analyze(name);
    return this.tx.analyze(mapping.table);
  }
}

/** The number of rows that the planner assumes; -1 if it knows nothing. */
async function knownRows(on: Pick<Transaction, 'rows'>, table: string): Promise<number> {
  const [known] = await on.rows<{ rows: number }>(
    sql`SELECT reltuples AS rows FROM pg_class WHERE oid = ${table}::regclass`,
  );
  return known?.rows ?? 0;
}
