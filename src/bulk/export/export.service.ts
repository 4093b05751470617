import { Inject, Injectable } from '@nestjs/common';
import { ListFilterCompiler, type FilterableDefinition } from '../../resources/list-filter-compiler';
import type { RequestContext } from '../../core/context/request-context';
import { type BodySink, STREAM_LIMITS, type StreamLimits } from '../../http/streamed-response';
import { appendMembers } from '../../core/json/json-text';
import { restrict, type Selection, selectionStatement } from '../../lists/selection';
import { Database, type Queryable } from '../../database/database';
import { adaptiveChunks } from '../../database/chunks';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import { from, inScope, isVisible } from '../../database/resource-sql';
import type { ResolutionTarget } from '../../variables/levels';
import { targetColumns, VariableResolver } from '../../variables/variable-resolver';
import { exportColumns } from '../csv/csv-columns';
import { HostCsvWriter } from '../csv/csv-writer';
import { lineMembersOf } from '../line-members';
import {
  deviceCsvTable,
  exportedTables,
  exportedLine,
  type ExportedTable,
  EXPORTED_DEVICE_KINDS,
  EXPORTED_KINDS,
} from './exported-kinds';
import { ConcurrencyLimiter, sharesOf } from '../../core/concurrency';
import { allDevices } from '../../devices/device-kind';
import { host } from '../../devices/kinds/host/host.entity';
import { selectingParameters, type ResourceDefinition } from '../../resources/resource-definition';
import { InventoryError } from '../../core/errors';
import type { QueryParameters } from '../../core/parameters';
import { parseBooleanValue } from '../../lists/list-filter';
import { parseUnpagedQuery, type ListParameters, type UnpagedQuery } from '../../lists/list-query';

export type ExportFormat = 'ndjson' | 'csv';

interface ExportQuery {
  readonly format: ExportFormat;
  readonly kinds: ReadonlySet<string>;
  readonly resolved: boolean;
  /** The filters of devices; undefined exports all devices. */
  readonly deviceFilters: Pick<UnpagedQuery, 'filters' | 'others'> | undefined;
}

/** Devices of all kinds, with the filters of their lists. */
export const exportedDevices: FilterableDefinition & ResourceDefinition = {
  ...allDevices,
  ofSeveralKinds: true,
};

const hostColumns = exportColumns(lineMembersOf(host.entity));

const deviceParameters = selectingParameters(exportedDevices);

const exportParameters: ListParameters = {
  ...deviceParameters,
  common: ['resolved-values'],
  others: [
    { name: 'kind', repeatable: true, joinable: true },
    { name: 'format' },
    ...deviceParameters.others,
  ],
};

/** @param preferred the format without the parameter `format`. @throws InventoryError 400, and what `preferred` throws */
export function parseExportQuery(query: QueryParameters, preferred: () => ExportFormat): ExportQuery {
  const { filters, others } = parseUnpagedQuery(query, exportParameters, 'array');
  const first = (name: string) => others.get(name)?.[0];
  const format = parseFormat(first('format')) ?? preferred();
  const isFiltered = filters.length > 0 || deviceParameters.others.some(({ name }) => others.has(name));
  return {
    format,
    kinds: parseKinds(others.get('kind'), format, isFiltered),
    resolved: parseBooleanValue('resolved-values', first('resolved-values') ?? 'false'),
    deviceFilters: isFiltered ? { filters, others } : undefined,
  };
}

function parseFormat(text: string | undefined): ExportFormat | undefined {
  if (text !== undefined && text !== 'csv' && text !== 'ndjson')
    throw InventoryError.invalid('format', 'invalid_value', 'must be ndjson or csv');
  return text;
}

/** CSV contains hosts only. Filters select devices only. */
function parseKinds(
  requested: readonly string[] | undefined,
  format: ExportFormat,
  isFiltered: boolean,
): ReadonlySet<string> {
  const allowed = format === 'csv' ? ['host'] : isFiltered ? EXPORTED_DEVICE_KINDS : EXPORTED_KINDS;
  for (const kind of requested ?? []) {
    if (!EXPORTED_KINDS.includes(kind))
      throw InventoryError.invalid('kind', 'invalid_value', `must be one of ${EXPORTED_KINDS.join(', ')}`);
    if (allowed.includes(kind)) continue;
    throw InventoryError.invalid(
      'kind',
      'inconsistent',
      format === 'csv'
        ? 'must be host, because CSV contains only hosts'
        : 'must be a kind of device, because the filters select only devices',
    );
  }
  return new Set(requested ?? allowed);
}

interface KeyQuery {
  readonly ctx: RequestContext;
  readonly on: Queryable;
  readonly query: { readonly resolved: boolean };
  /** A query for the ids of the devices. */
  readonly devices: Sql;
}

/** Reads the keys of own or resolved variables of devices that the caller may see, in the order of code points. */
async function readExportedKeys({ ctx, on, query, devices }: KeyQuery): Promise<string[]> {
  const project = sql`t.project_id = ${ctx.projectId}`;
  const documents = query.resolved
    ? sql`SELECT t.variables FROM selected JOIN devices t ON ${project} AND t.id = selected.id
        UNION ALL
        SELECT t.variables FROM regions t WHERE ${project} AND t.id IN (
          SELECT d.region_id FROM selected JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = selected.id)
        UNION ALL
        SELECT t.variables FROM cells t WHERE ${project} AND t.id IN (
          SELECT d.cell_id FROM selected JOIN devices d ON d.project_id = ${ctx.projectId} AND d.id = selected.id)
        UNION ALL
        SELECT t.variables FROM labels t WHERE ${project} AND t.id IN (
          SELECT a.label_id FROM selected JOIN device_labels a ON a.project_id = ${ctx.projectId} AND a.device_id = selected.id)`
    : sql`SELECT t.variables FROM selected JOIN devices t ON ${project} AND t.id = selected.id`;
  const rows = await on.rows<{ key: string }>(
    sql`WITH selected AS (${devices})
      SELECT k.key FROM (
        SELECT DISTINCT jsonb_object_keys(o.variables) AS key FROM (${documents}) AS o
      ) AS k WHERE ${isVisible(ctx.visibility, sql`k.key`)} ORDER BY k.key COLLATE "C"`,
    'custom',
  );
  return rows.map(({ key }) => key);
}

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
  /** Each export holds a database connection until its client has received everything. */
  private readonly limiter: ConcurrencyLimiter;

  constructor(
    private readonly database: Database,
    private readonly selections: ListFilterCompiler,
    private readonly resolver: VariableResolver,
    @Inject(STREAM_LIMITS) limits: StreamLimits,
  ) {
    this.limiter = new ConcurrencyLimiter({
      maxConcurrent: limits.maxExports,
      message: 'Too many exports are running. Retry later.',
      retryAfterSeconds: 10,
      shares: { ...sharesOf(limits.maxExports), callsName: 'exports' },
    });
  }

  /**
   * Writes the inventory of the project, as far as the caller may see it.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 405 if a CSV file
   *   would have too many columns, 503 if the maximum of concurrent exports is reached, of
   *   all, of the user or of the project
   */
  async write(ctx: RequestContext, query: ExportQuery, sink: BodySink): Promise<void> {
    await this.limiter.run(
      () =>
        this.database.longSnapshot(async (on) => {
          const run = { ctx, query, on, devices: await this.deviceIds(ctx, query, on) };
          await (query.format === 'csv' ? this.writeCsv(run, sink) : this.writeNdjson(run, sink));
        }),
      { caller: ctx },
    );
  }

  private async writeNdjson(run: ExportRun, sink: BodySink): Promise<void> {
    for (const table of exportedTables)
      if (table.kinds.some(({ kind }) => run.query.kinds.has(kind)))
        for await (const { body, variables } of this.readResources(run, table))
          await sink.write(
            `${variables === undefined ? body : appendMembers(body, [`"variables":${variables}`])}\n`,
          );
  }

  private async writeCsv(run: ExportRun, sink: BodySink): Promise<void> {
    const csv = new HostCsvWriter(hostColumns, await readExportedKeys(run));
    await sink.write(csv.header);
    for await (const { body, variables = '{}' } of this.readResources(run, deviceCsvTable))
      await sink.write(csv.add(body, variables));
    await sink.write(csv.flush());
  }

  /** Reads the resources of a table one by one. A resolved document is built when it is consumed. */
  private async *readResources(run: ExportRun, table: ExportedTable): AsyncGenerator<ExportedResource> {
    const { ctx, query, on } = run;
    const { mapping, inheritance } = table;
    const columns = inheritance ? targetColumns(inheritance) : sql`'' AS own_variables`;
    const read = async (ids: readonly number[]) =>
      on.rows<Row>(sql`SELECT ${columns}, ${exportedLine(table, ctx)} AS body ${from(mapping)}
        WHERE t.project_id = ${ctx.projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[]) ORDER BY t.id`);
    const ids = table.mapping === exportedDevices.mapping ? run.devices : idQuery(ctx, table);
    for await (const rows of adaptiveChunks(on, ids, read, rowSize)) {
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
    { deviceFilters, kinds }: ExportQuery,
    on: Queryable,
  ): Promise<Sql> {
    const { mapping } = exportedDevices;
    const scope = { project: ctx.projectId };
    const selection: Selection = deviceFilters
      ? await this.selections.compile(ctx, exportedDevices, deviceFilters, scope, on)
      : { kind: 'table', conditions: [] };
    const ofKinds = restrict(selection, [sql`t.kind = ANY(${arrayParameter([...kinds])}::text[])`]);
    return sql`SELECT m.id FROM (${selectionStatement(mapping, scope, ofKinds)}) AS m ORDER BY m.id`;
  }
}

const idQuery = (ctx: RequestContext, { mapping }: ExportedTable): Sql =>
  sql`SELECT t.id ${from(mapping)} WHERE ${inScope(mapping, { project: ctx.projectId })} ORDER BY t.id`;

const rowSize = (row: Row): number => row.body.length + row.own_variables.length;
