import { Injectable } from '@nestjs/common';
import { ListFilterCompiler } from '../../resources/list-filter-compiler';
import type { RequestContext } from '../../core/context/request-context';
import type { BodySink } from '../../http/streamed-response';
import { extended } from '../../core/json/json-document';
import { membersStatement } from '../../list/page-statements';
import { Database, type Queryable } from '../../database/database';
import { portions } from '../../database/adaptive-batches';
import { list, sql, type Sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import { HostTable } from '../csv/host-table';
import { exportedDevices, type ExportQuery } from './export-query';
import { deviceTable, exportedTables, lineOf, type ExportedTable } from './exported-kinds';
import { ExportLimiter } from './export-limiter';
import { exportedKeys } from './exported-keys';

interface ExportedResource {
  /** The members except `variables`, as JSON text. */
  readonly body: string;
  /** The variables as JSON text; undefined if the resource has none. */
  readonly variables: string | undefined;
}

interface Row extends ResolutionTarget {
  readonly [column: string]: unknown;
  readonly body: string;
}

/** The parameters of one export. */
interface ExportRun {
  readonly ctx: RequestContext;
  readonly query: ExportQuery;
  readonly on: Queryable;
  /** A query for the ids of the selected devices. */
  readonly devices: Sql;
}

/** Exports inventories. Each export reads one consistent snapshot. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly selections: ListFilterCompiler,
    private readonly resolver: VariableResolver,
    private readonly limiter: ExportLimiter,
  ) {}

  /**
   * Writes the inventory of the project, as far as the caller may see it.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 405 if a CSV file
   *   would have too many columns, 503 if the maximum of concurrent exports is reached
   */
  async write(ctx: RequestContext, query: ExportQuery, sink: BodySink): Promise<void> {
    await this.limiter.run(() =>
      this.database.longSnapshot(async (on) => {
        const run = { ctx, query, on, devices: await this.deviceIds(ctx, query, on) };
        await (query.format === 'csv' ? this.writeCsv(run, sink) : this.writeNdjson(run, sink));
      }),
    );
  }

  private async writeNdjson(run: ExportRun, sink: BodySink): Promise<void> {
    for (const table of exportedTables)
      if (table.kinds.some(({ kind }) => run.query.kinds.has(kind)))
        for await (const { body, variables } of this.readResources(run, table))
          await sink.write(
            `${variables === undefined ? body : extended(body, [`"variables":${variables}`])}\n`,
          );
  }

  private async writeCsv(run: ExportRun, sink: BodySink): Promise<void> {
    const csv = new HostTable(await exportedKeys(run));
    await sink.write(csv.header);
    for await (const { body, variables = '{}' } of this.readResources(run, deviceTable))
      await sink.write(csv.add(body, variables));
    await sink.write(csv.rest());
  }

  /** Reads the resources of a table one by one. A resolved document is built when it is consumed. */
  private async *readResources(run: ExportRun, table: ExportedTable): AsyncGenerator<ExportedResource> {
    const { ctx, query, on } = run;
    const { shape, inheritance } = table;
    const columns = inheritance ? targetColumns(inheritance) : sql`'' AS own_variables`;
    const read = async (ids: readonly number[]) =>
      on.rows<Row>(sql`SELECT ${columns}, ${lineOf(table, ctx)} AS body ${from(shape)}
        WHERE t.project_id = ${ctx.projectId} AND t.id = ANY(${list(ids)}::bigint[]) ORDER BY t.id`);
    const ids = table === deviceTable ? run.devices : idQuery(ctx, table);
    for await (const rows of portions(on, ids, read, rowSize)) {
      const documents = inheritance ? await this.readDocuments(ctx, rows, query.resolved, on) : undefined;
      const iterator = documents?.[Symbol.iterator]();
      for (const { body } of rows) yield { body, variables: iterator && String(iterator.next().value) };
    }
  }

  private async readDocuments(
    ctx: RequestContext,
    rows: readonly Row[],
    resolved: boolean,
    on: Queryable,
  ): Promise<Iterable<string>> {
    return resolved ? this.resolver.resolve(ctx, rows, on) : this.resolver.ownDocuments(ctx, rows);
  }

  /** A query for the ids of the selected devices, in order. */
  private async deviceIds(
    ctx: RequestContext,
    { devices: deviceFilters, kinds }: ExportQuery,
    on: Queryable,
  ): Promise<Sql> {
    const { shape } = exportedDevices;
    const scope = { project: ctx.projectId };
    const selection =
      deviceFilters && (await this.selections.compile(ctx, exportedDevices, deviceFilters, scope, on));
    const kindCondition = sql`t.kind = ANY(${list([...kinds])}::text[])`;
    const conditions = [...(selection?.conditions ?? []), kindCondition];
    return sql`SELECT m.id FROM (${membersStatement({ shape, scope, ...selection, conditions })}) AS m ORDER BY m.id`;
  }
}

const idQuery = (ctx: RequestContext, { shape }: ExportedTable): Sql =>
  sql`SELECT t.id ${from(shape)} WHERE ${inScope(shape, { project: ctx.projectId })} ORDER BY t.id`;

const rowSize = (row: Row): number => row.body.length + row.own_variables.length;
