import { Injectable } from '@nestjs/common';
import { Selections } from '../../resources/list-filter-compiler';
import type { RequestContext } from '../../core/context/request-context';
import type { BodySink } from '../../http/streamed-response';
import { extended } from '../../core/json/json-document';
import { membersStatement } from '../../list/page-statements';
import { Database, type Queryable } from '../../database/database';
import { portions } from '../../database/adaptive-batches';
import { list, sql, type Sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { Subject } from '../../variables/levels';
import { subjectColumns } from '../../variables/target-columns';
import { VariableResolver } from '../../variables/variable-resolver';
import { HostTable } from '../csv/host-table';
import { exportedDevices, type ExportQuery } from './export-query';
import { deviceTable, exportedTables, lineOf, type ExportedTable } from './exported-kinds';
import { ExportLimiter } from './export-limiter';
import { exportedKeys } from './exported-keys';

/** A resource as it is exported. */
interface Exported {
  /** Its members but for the variables, as JSON text. */
  readonly body: string;
  /** As JSON text; undefined for what carries none. */
  readonly variables: string | undefined;
}

interface Row extends Subject {
  readonly [column: string]: unknown;
  readonly body: string;
}

/** What one export is made with: who asks for what, on which state, and the devices that it is about. */
interface Making {
  readonly ctx: RequestContext;
  readonly query: ExportQuery;
  readonly on: Queryable;
  /** The ids of the devices, as a query. */
  readonly devices: Sql;
}

/** Writes an inventory out: one state of it, however long that takes. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly selections: Selections,
    private readonly resolver: VariableResolver,
    private readonly limiter: ExportLimiter,
  ) {}

  /**
   * Writes the project's inventory, as far as the caller sees it.
   * @throws InventoryError 400, 404 for a filter by what the caller cannot see, 405 for a table that is too wide, 503 if
   *   too many exports are being made
   */
  async write(ctx: RequestContext, query: ExportQuery, sink: BodySink): Promise<void> {
    await this.limiter.run(() =>
      this.database.longSnapshot(async (on) => {
        const making = { ctx, query, on, devices: await this.devices(ctx, query, on) };
        await (query.format === 'csv' ? this.writeTable(making, sink) : this.writeLines(making, sink));
      }),
    );
  }

  private async writeLines(making: Making, sink: BodySink): Promise<void> {
    for (const table of exportedTables)
      if (table.kinds.some(({ kind }) => making.query.kinds.has(kind)))
        for await (const { body, variables } of this.exported(making, table))
          await sink.write(
            `${variables === undefined ? body : extended(body, [`"variables":${variables}`])}\n`,
          );
  }

  private async writeTable(making: Making, sink: BodySink): Promise<void> {
    const table = new HostTable(await exportedKeys(making));
    await sink.write(table.header);
    for await (const { body, variables = '{}' } of this.exported(making, deviceTable))
      await sink.write(table.add(body, variables));
    await sink.write(table.rest());
  }

  /** The resources of a table, one by one: what is resolved is put together when it is its turn. */
  private async *exported(making: Making, table: ExportedTable): AsyncGenerator<Exported> {
    const { ctx, query, on } = making;
    const { shape, inheritance } = table;
    const columns = inheritance ? subjectColumns(inheritance) : sql`'' AS own_variables`;
    const read = async (ids: readonly number[]) =>
      on.rows<Row>(sql`SELECT ${columns}, ${lineOf(table, ctx)} AS body ${from(shape)}
        WHERE t.project_id = ${ctx.projectId} AND t.id = ANY(${list(ids)}::bigint[]) ORDER BY t.id`);
    const ids = table === deviceTable ? making.devices : idsOf(ctx, table);
    for await (const rows of portions(on, ids, read, lengthOf)) {
      const documents = inheritance ? await this.documents(ctx, rows, query.resolved, on) : undefined;
      const document = documents?.[Symbol.iterator]();
      for (const { body } of rows) yield { body, variables: document && String(document.next().value) };
    }
  }

  private async documents(
    ctx: RequestContext,
    rows: readonly Row[],
    resolved: boolean,
    on: Queryable,
  ): Promise<Iterable<string>> {
    return resolved ? this.resolver.resolve(ctx, rows, on) : this.resolver.own(ctx, rows);
  }

  /** The ids of the devices that are meant, in order. */
  private async devices(ctx: RequestContext, { devices, kinds }: ExportQuery, on: Queryable): Promise<Sql> {
    const { shape } = exportedDevices;
    const scope = { project: ctx.projectId };
    const selection = devices && (await this.selections.of(ctx, exportedDevices, devices, scope, on));
    const ofKinds = sql`t.kind = ANY(${list([...kinds])}::text[])`;
    const conditions = [...(selection?.conditions ?? []), ofKinds];
    return sql`SELECT m.id FROM (${membersStatement({ shape, scope, ...selection, conditions })}) AS m ORDER BY m.id`;
  }
}

const idsOf = (ctx: RequestContext, { shape }: ExportedTable): Sql =>
  sql`SELECT t.id ${from(shape)} WHERE ${inScope(shape, { project: ctx.projectId })} ORDER BY t.id`;

const lengthOf = (row: Row): number => row.body.length + row.own_variables.length;
