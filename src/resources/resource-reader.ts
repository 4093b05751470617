import { Injectable } from '@nestjs/common';
import {
  fromSnapshotAt,
  labelNamesAt,
  notFoundError,
  type PointInTime,
  readAsOf,
} from '../changes/point-in-time';
import { type ProjectScope, type RequestContext, visibleProjects } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { QueryParameters } from '../core/parameters';
import type { BodyChunks, ListPage, ListUrl } from '../lists/list-page';
import type { List } from '../lists/list';
import { planList } from '../lists/list-plan';
import { parseListQuery, type ListQuery } from '../lists/list-query';
import { type KeysetPage, type ListRow, PageReader } from '../lists/read-page';
import type { Source } from '../lists/selection';
import { Database, type Queryable, type Reader } from '../database/database';
import { join, raw, sql, type Sql } from '../database/sql';
import { from, inScope, isReadable, hasVisibleKeys, shownValue } from '../database/resource-sql';
import { scopeOfRecords, scopeOfResource } from '../database/resource-scope';
import type { TableMapping } from '../database/resource-mapping';
import type { ExplainedRow } from '../variables/explainer';
import { parseExplainParameter } from '../variables/explanation';
import { listParameters, type ResourceDefinition, shownMembers, singleMembers } from './resource-definition';
import {
  isReference,
  MAX_ROWS_PER_CHUNK,
  membersOfMapping,
  ROW_REFERENCE,
  pageChunks,
  referencedRows,
  ROW_SIZE,
  type ReferencedRow,
  ResourceSerializer,
  type SerializerOptions,
} from './resource-serializer';
import { hasAlternatives, ListFilterCompiler } from './list-filter-compiler';
import { parseSingleQuery } from './single-query';

/**
 * SQL for the given members of a resource `t` as of a point in time, as one JSON text. `jsonOf` does the same for the
 * current state. The values come from the record. A member that was added after the record was written is null.
 */
function jsonAt(
  ctx: RequestContext,
  { mapping, past }: ResourceDefinition,
  members: readonly string[],
  at: PointInTime,
): Sql {
  const columns = members.map((member) => {
    const value = past?.members?.[member]?.(at) ?? recorded(member, at, mapping.labels !== undefined);
    const field = mapping.fields[member];
    return sql`${field ? shownValue(ctx, field, value) : value} AS ${raw(`"${member}"`)}`;
  });
  return sql`(SELECT row_to_json(members)::text FROM (SELECT ${join(columns)}) members)`;
}

const recorded = (member: string, at: PointInTime, carriesLabels: boolean): Sql =>
  // A record contains the names that labels had when it was written; they may have been renamed before `at`.
  member === 'labels' && carriesLabels ? labelNamesAt(at) : raw(`t.after -> '${member}'`);

/** One resource as JSON text. */
export interface RenderedResource {
  readonly body: string;
  readonly version: number;
  /** Set for a past state. */
  readonly past?: true;
  /** What the caller should know about a write, for people. */
  readonly warnings?: readonly string[];
  /** The absolute URL. */
  readonly url: string;
}

/** What the query of a list asks for, without what selects its rows. */
const listOf = (
  ctx: RequestContext,
  { mapping, isPresentOnly }: ResourceDefinition,
  { order, limit, marker }: ListQuery,
): Omit<List, 'selections' | 'select'> => ({
  mapping,
  order,
  limit,
  marker,
  readable: isReadable(mapping, ctx),
  deleted: isPresentOnly
    ? undefined
    : { kinds: [mapping.kind], readable: isReadable(mapping, ctx, 't.before') },
});

type Row = ListRow<
  ExplainedRow &
    ReferencedRow & { up: string | null; shown_id: string; version: number } & Record<string, unknown>
>;

/** Up to this many rows, reading the row versions of their levels with each row costs less than a query for the levels. */
const MAX_ROWS_WITH_VERSIONS = 30;

/** Reads single resources and lists of all kinds, as the caller may see them. */
@Injectable()
export class ResourceReader {
  constructor(
    private readonly database: Database,
    private readonly pages: PageReader,
    private readonly filterCompiler: ListFilterCompiler,
    private readonly serializer: ResourceSerializer,
  ) {}

  /** Validates the query of a list without reading anything. @throws InventoryError 400 */
  validateListQuery(definition: ResourceDefinition, { parameters, body }: ListUrl): void {
    parseListQuery(parameters, listParameters(definition), body);
  }

  /**
   * Reads a page of a list.
   * @param through limits the list to the rows of this source
   * @param within limits the list to these projects
   * @throws InventoryError 400 for a malformed query, 404 for a filter by a resource that the caller cannot see
   */
  async list(
    ctx: RequestContext,
    definition: ResourceDefinition,
    url: ListUrl,
    through?: Source,
    within?: ProjectScope,
  ): Promise<ListPage> {
    const query = parseListQuery(url.parameters, listParameters(definition), url.body);
    const requested = await this.scopeOf(ctx, definition.mapping, query.projectId);
    const scope = query.projectId === undefined ? (within ?? requested) : requested;
    const explain = query.others.get('explain')?.[0];
    const options: SerializerOptions = {
      definition,
      members: query.members,
      resolved: query.resolved,
      explained:
        explain === undefined
          ? undefined
          : { mapping: definition.mapping, keys: parseExplainParameter(explain) },
      readsRowVersionsInline: query.limit <= MAX_ROWS_WITH_VERSIONS,
    };
    const reader = this.database.reader(ctx);
    const selections = [];
    for (const listed of await this.database.statementScopes(definition.mapping, scope)) {
      const selection = await this.filterCompiler.compileWithoutReferenceCheck(
        ctx,
        definition,
        query,
        listed,
        reader,
      );
      const { conditions } = selection;
      selections.push({
        scope: listed,
        selection: through ? { kind: 'sources' as const, conditions, sources: [through] } : selection,
      });
    }
    const list = { ...listOf(ctx, definition, query), selections };
    const { page, texts } = await this.readPage(ctx, list, options, reader);
    if (page.rows.length === 0 || hasAlternatives(query))
      await this.filterCompiler.assertReferencesVisible(ctx, query, reader);
    return { url, markers: page, items: texts };
  }

  /**
   * Reads a page and serializes its rows. For resources with variables, only one chunk is in memory at a time, however
   * long the page is and however slowly the client reads it. The first query of a long page reads only references to
   * its rows; that of a short page reads the rows, except large variables. The rest is read chunk by chunk while
   * earlier chunks are sent, in the state at that time.
   */
  private async readPage(
    ctx: RequestContext,
    list: Omit<List, 'select'>,
    options: SerializerOptions,
    reader: Reader,
  ): Promise<{ readonly page: KeysetPage<Row>; readonly texts: Iterable<string> | BodyChunks }> {
    const { mapping, limit } = list;
    const isChunked = options.explained !== undefined || options.members.includes('variables');
    const complete = this.serializer.select(ctx, mapping, options);
    const withoutLargeVariables = () => {
      const { columns, ...rest } = this.serializer.select(ctx, mapping, {
        ...options,
        omitsLargeVariables: true,
      });
      return { ...rest, columns: sql`${columns}, ${ROW_SIZE}` };
    };
    const references = { body: sql`NULL`, columns: ROW_REFERENCE, joins: sql`` };
    const select = isChunked ? (limit > MAX_ROWS_PER_CHUNK ? references : withoutLargeVariables()) : complete;
    const serialize = async (rows: readonly Row[], on: Queryable) => {
      const statementFor = (referenced: readonly Row[]) => referencedRows(referenced, mapping, ctx, complete);
      const completed = isChunked ? await this.completeRows(rows, statementFor, on) : rows;
      return this.serializer.serialize(ctx, completed, options, on);
    };
    // Values and their provenance are read by separate queries. A snapshot keeps them consistent.
    const inSnapshot = async <T>(read: (on: Queryable) => Promise<T>): Promise<T> =>
      options.explained ? reader.snapshot(read) : read(reader);
    const { page, first, rest } = await inSnapshot(async (on) => {
      const page = await this.pages.read<Row>(planList({ ...list, select }), on);
      const [chunk = [], ...rest] = isChunked ? pageChunks(page.rows) : [page.rows];
      return { page, first: await serialize(chunk, on), rest };
    });
    if (rest.length === 0) return { page, texts: first };
    const texts = (async function* () {
      yield first;
      // Each chunk uses a connection only while it is read, so slow clients do not hold one.
      for (const chunk of rest) yield await inSnapshot((on) => serialize(chunk, on));
    })();
    return { page, texts };
  }

  /** Replaces the references in a chunk by their rows. Rows that were deleted meanwhile are omitted. */
  private async completeRows(
    rows: readonly Row[],
    statementFor: (references: readonly Row[]) => Sql,
    on: Queryable,
  ): Promise<readonly Row[]> {
    const references = rows.filter(isReference);
    if (references.length === 0) return rows;
    const read = new Map<string, Row>();
    for (const part of this.database.splitByProject(references))
      for (const row of await on.rows<Row>(statementFor(part))) read.set(row.list_id, row);
    return rows.flatMap((row) => (isReference(row) ? (read.get(row.list_id) ?? []) : [row]));
  }

  /**
   * Reads one resource.
   * @param query `resolved-values=false` for its own variables, `at` for a past state
   * @throws InventoryError 400 for a time in the future, 404 if the resource did not exist or the caller cannot see it
   */
  async show(
    ctx: RequestContext,
    definition: ResourceDefinition,
    id: number | string,
    query: QueryParameters,
  ): Promise<RenderedResource> {
    const { resolved, at, members } = parseSingleQuery(query, {
      'resolved-values': definition.showsVariables,
      at: definition.isPresentOnly !== true,
      members: singleMembers(definition),
    });
    const options: Omit<SerializerOptions, 'definition'> = {
      members,
      resolved,
      at,
      readsRowVersionsInline: true,
    };
    return readAsOf(this.database.reader(ctx), at, (on) => this.readOne(ctx, definition, id, options, on));
  }

  /** Reads one resource for the response to a write: all members, with resolved variables. */
  async showWritten(
    ctx: RequestContext,
    definition: ResourceDefinition,
    id: number | string,
    on: Queryable,
  ): Promise<RenderedResource> {
    return this.readOne(ctx, definition, id, { members: shownMembers(definition), resolved: true }, on);
  }

  private async readOne(
    ctx: RequestContext,
    definition: ResourceDefinition,
    id: number | string,
    rendering: Omit<SerializerOptions, 'definition'>,
    on: Queryable,
  ): Promise<RenderedResource> {
    const { mapping } = definition;
    const options: SerializerOptions = { definition, ...rendering };
    const scope = await (options.at ? scopeOfRecords : scopeOfResource)(ctx, mapping, id, on);
    const present = () => {
      const { joins, ...select } = this.serializer.select(ctx, mapping, options);
      return {
        ...select,
        source: sql`${from(mapping)} ${joins} WHERE ${inScope(mapping, scope)} AND ${isReadable(mapping, ctx)}
          AND t.id = ${id}::${raw(mapping.idType)}`,
      };
    };
    const { body, columns, source } = options.at
      ? {
          body: jsonAt(ctx, definition, membersOfMapping(mapping, options.members), options.at),
          columns: this.serializer.columns(options),
          source: sql`${fromSnapshotAt(mapping, scope, [id], options.at)} WHERE ${hasVisibleKeys(mapping, ctx, 't.after')}`,
        }
      : present();
    const [row] = await on.rows<Row>(sql`
      SELECT t.id::text AS shown_id, ${raw(mapping.fields['version'] ? 't.version' : '0::bigint')} AS version,
        ${columns}, ${body} AS body ${source}`);
    if (!row) throw await notFoundError(ctx, mapping, id, { at: options.at, on });
    const [text = ''] = await this.serializer.serialize(ctx, [row], options, on);
    return {
      body: text,
      version: row.version,
      url: `${ctx.base}/v1/${mapping.collection}/${row.shown_id}`,
      ...(options.at ? { past: true } : {}),
    };
  }

  /**
   * The projects of a list: all projects for root users, else the caller's project. `project_id` selects one of them.
   * @throws InventoryError 404 for a project that the caller cannot see
   */
  async scopeOf(
    ctx: RequestContext,
    table: TableMapping,
    projectId: string | undefined,
  ): Promise<ProjectScope> {
    if (projectId === undefined) return visibleProjects(ctx);
    const visible = ctx.principal.isRoot
      ? await this.hasProject(ctx, table, projectId)
      : projectId === ctx.projectId;
    if (!visible) throw InventoryError.notFound('project', projectId, 'project_id');
    return { project: projectId };
  }

  private async hasProject(ctx: RequestContext, table: TableMapping, projectId: string): Promise<boolean> {
    const query = sql`SELECT FROM projects p WHERE p.id = ${projectId}
      UNION ALL (SELECT ${from(table)} WHERE t.project_id = ${projectId} LIMIT 1)`;
    return (await this.database.reader(ctx).rows(query)).length > 0;
  }
}
