import type { PartWriter } from '../../changes/large-operation';
import { chunk } from '../../database/chunks';
import { cellMapping } from '../../cells/cell.entity';
import { cloudMapping } from '../../clouds/cloud.entity';
import { anyDeviceMapping } from '../../devices/device-kind';
import { lockProject } from '../../changes/project-lock';
import type { LabelAssignments } from '../../labels/label-assignments';
import { labelMapping } from '../../labels/label.entity';
import { regionMapping } from '../../regions/region.entity';
import { toInventoryError } from '../../database/errors/database-error-mapping';
import { awaitBoth } from '../../core/concurrency';
import { InventoryError } from '../../core/errors';
import {
  ConcurrentModificationError,
  isForeignKeyViolation,
  isUniqueViolation,
  postgresError,
} from '../../database/errors/postgres-error';
import { arrayParameter, raw, sql, textArray, type Sql } from '../../database/sql';
import { typesOfKeys, type TypesOfKey } from '../../database/variable-values';
import { ClientDisconnectedError, type ImportOptions } from './import-request';
import { ImportRejectedError } from './import-rejection';
import type { ImportStaging } from './import-staging';
import { isLineFault } from './line-faults';
import { KINDS_WITH_VARIABLES, lineGroups, lineName, parseLine, rankOf, type ImportLine } from './line-kinds';
import { ChunkWriter } from './chunk-writer';
import { resolveInvalidLines } from './resolve-references';
import { comparedKeys } from './similar-keys';
import { BEFORE_ALL, LAST_RANK, type CellName, type LinePosition } from './line-table';

/** The maximum number of lines in a chunk. */
const MAX_CHUNK_LINES = 1_000;
/** The maximum size of a chunk of several lines, in characters. */
const MAX_CHUNK_LENGTH = 2 * 1024 * 1024;
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

/** Writes the staged lines in chunks. It can be retried, because it only changes the database in its transaction. */
export class ImportRun {
  constructor(
    private readonly change: PartWriter,
    private readonly staging: ImportStaging,
    private readonly labels: LabelAssignments,
    private readonly mode: ImportOptions['mode'],
    /** Aborted when the client disconnects. Then nothing is committed. */
    private readonly disconnected: AbortSignal,
  ) {}

  /** @throws ImportRejectedError if one faulty line fails the import, and as many are faulty as can be reported */
  async write(): Promise<void> {
    this.staging.report.reset();
    await this.staging.table.discardChanges();
    await this.prepare();
    // Before others wait for locked resources.
    await this.compareColumns();
    await this.lockExisting();
    await this.writeAll();
    await resolveInvalidLines(this.change.tx, this.change.ctx, this.staging);
    await this.setOtherPlanTypes('on');
    // The next user of the connection must not get these plans.
    await this.change.tx.execute(sql`DISCARD PLANS`);
  }

  /**
   * Configures the planner of this transaction. PostgreSQL plans for the current table sizes and statistics. A plan for
   * small tables would scan all rows that a large import has written so far, again for each chunk. So only plans that
   * use indexes are allowed.
   */
  private async prepare(): Promise<void> {
    const { tx, projectId } = this.change;
    await this.setOtherPlanTypes('off');
    await tx.execute(sql`SET LOCAL jit = off`);
    await tx.execute(sql`DISCARD PLANS`);
    // Imports of one project are serialized, too.
    await lockProject(tx, projectId);
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
    const { table } = this.staging;
    for (const [group, mapping] of [
      [lineGroups.clouds, cloudMapping],
      [lineGroups.labels, labelMapping],
      [lineGroups.regions, regionMapping],
    ] as const)
      for await (const names of table.names(rankOf(group)))
        await this.change.lockExisting(
          mapping,
          sql`t.${raw(mapping.nameField)} = ANY(${arrayParameter(names.map(({ name }) => name))}::text[])`,
        );
    for await (const names of table.names(rankOf(lineGroups.cells)))
      await this.change.lockExisting(cellMapping, this.areCells(names));
    // The cells of devices are locked before the devices, as a change that moves a cell does. This prevents deadlocks.
    const deviceRank = rankOf(lineGroups.devices);
    for await (const names of table.cellsOfDevices(deviceRank)) await this.lockCellsOfDevices(names);
    const ids: number[] = [];
    for await (const names of table.names(deviceRank, LAST_RANK))
      for (const { id } of await this.findDevices(names.map(({ name }) => name))) ids.push(id);
    ids.sort((a, b) => a - b);
    for (const part of chunk(ids, MAX_NAMES_PER_STATEMENT))
      await this.change.lockExisting(anyDeviceMapping, sql`t.id = ANY(${arrayParameter(part)}::bigint[])`);
  }

  /** Compares the variables in a table with those of the project, as they are before it is written. */
  private async compareColumns(): Promise<void> {
    const { report } = this.staging;
    const { ctx, tx, projectId } = this.change;
    const keys = comparedKeys(ctx.visibility, report.columns?.keys ?? []);
    if (keys.length === 0) return;
    const rows = await tx.rows<TypesOfKey>(typesOfKeys(projectId, KINDS_WITH_VARIABLES, keys), 'custom');
    report.typesInProject = new Map(rows.map((row) => [row.key, row]));
  }

  private findDevices(names: readonly string[]): Promise<{ id: number }[]> {
    const { tx, projectId } = this.change;
    return tx.rows<{ id: number }>(
      sql`SELECT d.id FROM devices d WHERE d.project_id = ${projectId} AND d.name = ANY(${textArray(names)}::text[])`,
      'custom',
    );
  }

  private areCells(names: readonly CellName[]): Sql {
    return sql`(t.region_id, t.name) IN (SELECT r.id, l.name
      FROM unnest(${arrayParameter(names.map(({ region }) => region))}::text[], ${arrayParameter(names.map(({ name }) => name))}::text[])
        AS l (region, name)
      JOIN regions r ON r.project_id = ${this.change.projectId} AND r.name = l.region)`;
  }

  private async lockCellsOfDevices(names: readonly CellName[]): Promise<void> {
    const { tx, projectId } = this.change;
    await tx.rows(
      sql`SELECT FROM cells t WHERE t.project_id = ${projectId} AND ${this.areCells(names)}
        ORDER BY t.id FOR KEY SHARE OF t`,
      'custom',
    );
  }

  /** Writes all lines, in chunks of one group. The next chunk is read while one is written. */
  private async writeAll(): Promise<void> {
    let after = BEFORE_ALL;
    for (let lines = await this.read(after); lines.length > 0;) {
      const end = lines.findIndex(({ kind }) => kind.group !== lines[0]?.kind.group);
      const current = end < 0 ? lines : lines.slice(0, end);
      after = current.at(-1) ?? after;
      [lines] = await awaitBoth(this.read(after), this.writeChunk(current));
    }
  }

  private async read(after: LinePosition): Promise<(ImportLine & LinePosition)[]> {
    const entries = await this.staging.table.read(after, MAX_CHUNK_LINES, MAX_CHUNK_LENGTH);
    return entries.map(parseLine);
  }

  /** A chunk that fails is split in halves until the invalid lines are found. The other lines are written. */
  private async writeChunk(lines: readonly ImportLine[]): Promise<void> {
    if (this.disconnected.aborted) throw new ClientDisconnectedError();
    const { report } = this.staging;
    const byNumber = new Map(lines.map((line) => [line.line, line]));
    try {
      const { succeeded, failed } = await this.change.inPart((part) =>
        ChunkWriter.write(part, this.labels, this.staging, lines),
      );
      await this.staging.table.addChanges(
        succeeded.flatMap(({ line, sides }) => (sides ? [{ line, sides }] : [])),
      );
      for (const { line, result, id, warnings } of succeeded) {
        report.recordSuccess(line, result, id);
        const read = byNumber.get(line);
        if (!read || !report.columns) continue;
        report.newValues.add(read, warnings?.keysToCheck);
        if (warnings) report.addCsvWarnings(line, lineName(read), warnings);
      }
      for (const { line, error } of failed) report.recordFailure(line, error);
    } catch (thrown) {
      const error = lineError(thrown);
      if (!error) throw thrown;
      const [first] = lines;
      if (lines.length === 1 && first) {
        report.recordFailure(first.line, error);
        this.assertMayContinue();
        return;
      }
      const middle = lines.length >> 1;
      await this.writeChunk(lines.slice(0, middle));
      await this.writeChunk(lines.slice(middle));
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
