import type { BatchedChange } from '../../changes/batched-change';
import { chunk } from '../../database/batches';
import { cellMapping } from '../../cells/cell.entity';
import { cloudMapping } from '../../clouds/cloud.entity';
import { anyDeviceMapping } from '../../devices/device-kind';
import type { LabelAssignments } from '../../labels/label-assignments';
import { labelMapping } from '../../labels/label.entity';
import { regionMapping } from '../../regions/region.entity';
import { toInventoryError } from '../../database/errors/database-error-mapping';
import { InventoryError } from '../../core/errors';
import {
  ConcurrentModificationError,
  isForeignKeyViolation,
  isUniqueViolation,
  postgresError,
} from '../../database/errors/postgres-error';
import { exponentDigits } from '../../core/json/json-text';
import { arrayParameter, raw, sql } from '../../database/sql';
import type { ResourceMapping } from '../../database/resource-mapping';
import { ClientDisconnectedError, type ImportOptions } from './import-request';
import { ImportRejectedError, isLineFault } from './import-report';
import type { ImportStaging } from './import-staging';
import { parseLine, lineName, type ImportLine } from './line-kinds';
import { BatchWriter } from './batch-writer';
import type { LineEntry, LineFile } from './line-file';

/** The maximum number of lines in a batch. */
const MAX_BATCH_LINES = 500;
/** The maximum size of a batch of several lines, in characters. */
const MAX_BATCH_LENGTH = 2 * 1024 * 1024;
/** The maximum number of names in a statement that locks resources. */
const MAX_NAMES_PER_STATEMENT = 5_000;

/** The settings of PostgreSQL for plans other than index lookups. */
const OTHER_PLAN_TYPES = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_material',
];

/** Writes the staged lines in batches. It can be retried, because it only changes the database in its transaction. */
export class ImportRun {
  constructor(
    private readonly change: BatchedChange,
    private readonly staging: ImportStaging,
    private readonly labels: LabelAssignments,
    private readonly mode: ImportOptions['mode'],
    /** Aborted when the client disconnects. Then nothing is committed. */
    private readonly disconnected: AbortSignal,
  ) {}

  /** @throws ImportRejectedError if one faulty line fails the import, and as many are faulty as can be reported */
  async write(): Promise<void> {
    this.staging.report.reset();
    await this.prepare();
    await this.lockExisting();
    const { clouds, labels, regions, cells, devices, deferredDevices } = this.staging.lines;
    for (const file of [clouds, labels, regions, cells, devices]) await this.writeAll(file.entries());
    await this.writeAll(deferredDevices.entries(this.staging.nameIndex));
    await this.setOtherPlanTypes('on');
    // The next user of the connection must not get these plans.
    await this.change.tx.execute(sql`DISCARD PLANS`);
  }

  /**
   * Configures the planner of this transaction. PostgreSQL plans for the current table sizes and statistics. A plan for
   * small tables would scan all rows that a large import has written so far, again for each batch. So only plans that
   * use indexes are allowed.
   */
  private async prepare(): Promise<void> {
    const { tx, projectId } = this.change;
    await this.setOtherPlanTypes('off');
    await tx.execute(sql`SET LOCAL jit = off`);
    await tx.execute(sql`DISCARD PLANS`);
    // Changes of parents are serialized per project (see devices.service.ts), so imports of one project are, too.
    await tx.rows(sql`SELECT FROM projects p WHERE p.id = ${projectId} FOR NO KEY UPDATE`);
  }

  /**
   * Allows or forbids plans other than index lookups. Bitmap scans are among these: PostgreSQL 15 would find names through the
   * trigrams of all names, which takes 700 times as long for 5,000 names.
   */
  private async setOtherPlanTypes(value: 'on' | 'off'): Promise<void> {
    for (const setting of OTHER_PLAN_TYPES)
      await this.change.tx.execute(sql`SET LOCAL ${raw(setting)} = ${raw(value)}`);
  }

  /** Locks the resources that already exist, in the same order as other changes: containers before their contents. */
  private async lockExisting(): Promise<void> {
    const { clouds, labels, regions, cells, deviceNames } = this.staging.lines;
    const lockNamed = async (mapping: ResourceMapping, names: readonly string[]) => {
      await this.change.lockExisting(
        mapping,
        sql`t.${raw(mapping.nameField)} = ANY(${arrayParameter(names)}::text[])`,
      );
    };
    for await (const names of batches(clouds, entryName)) await lockNamed(cloudMapping, names);
    for await (const names of batches(labels, entryName)) await lockNamed(labelMapping, names);
    for await (const names of batches(regions, entryName)) await lockNamed(regionMapping, names);
    for await (const names of batches(cells, cellName)) await this.lockCells(names);
    await this.lockCellsOfDevices();
    const ids: number[] = [];
    for await (const names of batches(deviceNames, ({ text }) => text))
      for (const { id } of await this.findDevices(names)) ids.push(id);
    ids.sort((a, b) => a - b);
    for (const part of chunk(ids, MAX_NAMES_PER_STATEMENT))
      await this.change.lockExisting(anyDeviceMapping, sql`t.id = ANY(${arrayParameter(part)}::bigint[])`);
  }

  private findDevices(names: readonly string[]): Promise<{ id: number }[]> {
    const { tx, projectId } = this.change;
    return tx.rows<{ id: number }>(
      sql`SELECT d.id FROM devices d WHERE d.project_id = ${projectId} AND d.name = ANY(${arrayParameter(names)}::text[])`,
      'custom',
    );
  }

  private async lockCells(names: readonly (readonly [region: string, cell: string])[]): Promise<void> {
    await this.change.lockExisting(
      cellMapping,
      sql`(t.region_id, t.name) IN (SELECT r.id, l.name
        FROM unnest(${arrayParameter(names.map(([region]) => region))}::text[], ${arrayParameter(names.map(([, cell]) => cell))}::text[])
          AS l (region, name)
        JOIN regions r ON r.project_id = ${this.change.projectId} AND r.name = l.region)`,
    );
  }

  /** Locks the cells of devices before the devices, as a change that moves a cell does. This prevents deadlocks. */
  private async lockCellsOfDevices(): Promise<void> {
    const { tx, projectId } = this.change;
    const { deviceCells } = this.staging.lines;
    for await (const names of batches(deviceCells, ({ text }) => JSON.parse(text) as [string, string])) {
      await tx.rows(
        sql`SELECT FROM cells t WHERE t.project_id = ${projectId} AND (t.region_id, t.name) IN (SELECT r.id, l.name
          FROM unnest(${arrayParameter(names.map(([region]) => region))}::text[], ${arrayParameter(names.map(([, cell]) => cell))}::text[])
            AS l (region, name)
          JOIN regions r ON r.project_id = ${projectId} AND r.name = l.region)
        ORDER BY t.id FOR KEY SHARE OF t`,
        'custom',
      );
    }
  }

  private async writeAll(entries: AsyncIterable<readonly LineEntry[]>): Promise<void> {
    for await (const lines of writeBatches(entries)) await this.writeBatch(lines);
  }

  /** A batch that fails is split in halves until the invalid lines are found. The other lines are written. */
  private async writeBatch(lines: readonly ImportLine[]): Promise<void> {
    if (this.disconnected.aborted) throw new ClientDisconnectedError();
    const { report } = this.staging;
    const names = new Map(lines.map((line) => [line.line, lineName(line)]));
    try {
      const { succeeded, failed } = await this.change.inBatch((part) =>
        BatchWriter.write(part, this.labels, this.staging, lines),
      );
      for (const { line, result, id, warnings, sides } of succeeded) {
        report.recordSuccess(line, result, id);
        if (sides) await this.staging.changes?.add(line, sides);
        if (warnings) report.addCsvWarnings(line, names.get(line) ?? '', warnings);
      }
      for (const { line, error } of failed) await report.recordFailure(line, error);
    } catch (thrown) {
      const error = lineError(thrown);
      if (!error) throw thrown;
      const [first] = lines;
      if (lines.length === 1 && first) {
        await report.recordFailure(first.line, error);
        this.assertMayContinue();
        return;
      }
      const middle = lines.length >> 1;
      await this.writeBatch(lines.slice(0, middle));
      await this.writeBatch(lines.slice(middle));
      return;
    }
    this.assertMayContinue();
  }

  private assertMayContinue(): void {
    const { report, staged } = this.staging;
    if (this.mode !== 'all' || !report.hasMaxErrors) return;
    throw new ImportRejectedError({
      ...report.rejection,
      unchecked: staged - report.checked,
      isStopped: true,
    });
  }
}

/**
 * Returns the error that lines have caused; undefined for errors that are retried or unexpected.
 * @throws ConcurrentModificationError if another transaction changed the referenced resources
 */
function lineError(thrown: unknown): InventoryError | undefined {
  if (thrown instanceof InventoryError) return isLineFault(thrown) ? thrown : undefined;
  const databaseError = postgresError(thrown);
  // All names were looked up before, so a concurrent transaction has created or deleted a resource.
  if (databaseError && (isUniqueViolation(databaseError) || isForeignKeyViolation(databaseError)))
    throw new ConcurrentModificationError();
  const error = toInventoryError(thrown);
  return error && error.status < 500 ? error : undefined;
}

const entryName = (entry: LineEntry): string => lineName(parseLine(entry));

function cellName({ text }: LineEntry): [region: string, cell: string] {
  const { region, name } = JSON.parse(text) as { readonly region: string; readonly name: string };
  return [region, name];
}

/** Reads a value of each entry, in batches. Entries can have megabytes, so they are not kept in memory. */
async function* batches<T>(file: LineFile, read: (entry: LineEntry) => T): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const entries of file.entries())
    for (const entry of entries) {
      batch.push(read(entry));
      if (batch.length < MAX_NAMES_PER_STATEMENT) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
}

/** Groups entries into batches for one write. */
async function* writeBatches(source: AsyncIterable<readonly LineEntry[]>): AsyncGenerator<ImportLine[]> {
  let batch: ImportLine[] = [];
  let batchLength = 0;
  for await (const entries of source)
    for (const entry of entries) {
      // The length as the database prints it: an exponent of a few bytes can become a megabyte of digits.
      const length = entry.text.length + exponentDigits(entry.text);
      if (batch.length > 0 && (batch.length >= MAX_BATCH_LINES || batchLength + length > MAX_BATCH_LENGTH)) {
        yield batch;
        batch = [];
        batchLength = 0;
      }
      batch.push(parseLine(entry));
      batchLength += length;
    }
  if (batch.length > 0) yield batch;
}
