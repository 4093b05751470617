import { Injectable } from '@nestjs/common';
import { fromSnapshotAt, labelNamesAt, type PointInTime, readAsOf } from '../changes/point-in-time';
import { type ProjectScope, type RequestContext, visibleProjects } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { singleValue, type QueryParameters, parameterReader } from '../core/query-parameters';
import { ListEngine, type ListRow, type KeysetPage } from '../list/list-engine';
import type { BodyChunks, ListPage, ListUrl } from '../list/list-page';
import { parseListQuery } from '../list/list-query';
import type { Branch, ListRequest } from '../list/list-request';
import { Database, type Queryable, type Reader } from '../database/database';
import { join, raw, sql, type Sql } from '../database/sql';
import { from, inScope, isReadable, jsonOf, hasVisibleKeys, projectsOf } from '../database/resource-sql';
import type { ResourceShape, TableShape } from '../database/resource-shape';
import type { ExplainedRow } from '../variables/explainer';
import { parseExplainParameter } from '../variables/explanation';
import { listParameters, type ResourceDefinition, shownMembers } from './resource-definition';
import {
  isReference,
  MAX_ROWS_PER_CHUNK,
  ROW_REFERENCE,
  pageChunks,
  referencedRows,
  ROW_SIZE,
  type ReferencedRow,
  ResourceSerializer,
  type SerializerOptions,
} from './resource-serializer';
import { ListFilterCompiler } from './list-filter-compiler';
import { timeValue } from '../http/parse-time';
import { parseBooleanValue } from '../list/list-filter';

/**
 * SQL that builds the named members of the resource `t` of a moment as one JSON text, like `jsonOf` for what is there
 * by now. Members come out of the record as they went in; one that a record does not have, because it came later, is
 * null.
 */
export function jsonAt(
  ctx: RequestContext,
  { shape, past }: ResourceDefinition,
  members: readonly string[],
  at: PointInTime,
): Sql {
  const columns = members.map((member) => {
    const value = past?.members?.[member]?.(at) ?? recorded(member, at, shape.labels !== undefined);
    const { redact } = shape.fields[member] ?? {};
    return sql`${redact ? redact(ctx, value) : value} AS ${raw(`"${member}"`)}`;
  });
  return sql`(SELECT row_to_json(members)::text FROM (SELECT ${join(columns)}) members)`;
}

const recorded = (member: string, at: PointInTime, carriesLabels: boolean): Sql =>
  // A record tells labels by the names that they had when it was written; by the moment, they may be called otherwise.
  member === 'labels' && carriesLabels ? labelNamesAt(at) : raw(`t.after -> '${member}'`);

/** What a question for one resource says beside which one. */
export interface SingleQuery {
  /** Whether its variables are resolved. */
  readonly resolved: boolean;
  /** As of which moment; undefined: by now. */
  readonly at: PointInTime | undefined;
}

/** What a question for one resource may say. */
interface SingleParameters {
  readonly 'resolved-values': boolean;
  readonly at: boolean;
  /** Whether variables are resolved where the question does not say it. */
  readonly resolvedByDefault?: boolean;
}

/** Reads the query of a question for one resource. @throws InventoryError 400 */
export function parseSingleQuery(query: QueryParameters, takes: SingleParameters): SingleQuery {
  const names = (['resolved-values', 'at'] as const).filter((name) => takes[name]);
  const resolved = parameterReader(query, names)('resolved-values');
  return {
    resolved:
      resolved === undefined
        ? (takes.resolvedByDefault ?? true)
        : parseBooleanValue('resolved-values', resolved),
    at: parsePointInTime(query),
  };
}

/** The moment that a question is about; undefined: by now. @throws InventoryError 400 */
export function parsePointInTime(query: QueryParameters): PointInTime | undefined {
  const at = singleValue(query, 'at');
  return at === undefined ? undefined : { time: timeValue('at', at) };
}

/** One resource as it is shown. */
export interface RenderedResource {
  readonly body: string;
  readonly version: number;
  /** Set for a resource as it was. */
  readonly past?: true;
  /** Where it is, from the scheme on. */
  readonly url: string;
}

type Row = ListRow<
  ExplainedRow &
    ReferencedRow & { up: string | null; shown_id: string; version: number } & Record<string, unknown>
>;

/** Of so many rows it costs less to read the levels' stamps with each than to ask for the levels. */
const FEW = 30;

/** Reads any resource, one or a list, as the caller may see it. */
@Injectable()
export class ResourceReader {
  constructor(
    private readonly database: Database,
    private readonly engine: ListEngine,
    private readonly selections: ListFilterCompiler,
    private readonly presenter: ResourceSerializer,
  ) {}

  /** Validates the query of a list without reading anything. @throws InventoryError 400 */
  validateListQuery(listing: ResourceDefinition, { parameters, body }: ListUrl): void {
    parseListQuery(parameters, listParameters(listing), body);
  }

  /**
   * A page of a list.
   * @param through the way to the only rows that the list may have
   * @throws InventoryError 400 for a query that is not well formed, 404 for a filter by what the caller cannot see
   */
  async list(
    ctx: RequestContext,
    listing: ResourceDefinition,
    url: ListUrl,
    through?: Branch,
  ): Promise<ListPage> {
    const query = parseListQuery(url.parameters, listParameters(listing), url.body);
    const scope = await this.scopeOf(ctx, listing.shape, query.projectId);
    const explain = query.others.get('explain')?.[0];
    const how: SerializerOptions = {
      listing,
      members: query.members,
      resolved: query.resolved,
      explained:
        explain === undefined ? undefined : { shape: listing.shape, keys: parseExplainParameter(explain) },
      few: query.limit <= FEW,
    };
    const reading = this.database.reader(ctx);
    const selection = await this.selections.compile(ctx, listing, query, scope, reading);
    const asked = {
      shape: listing.shape,
      scope,
      readable: isReadable(listing.shape, ctx),
      ...selection,
      ...(through ? { branches: [through] } : {}),
      order: query.order,
      limit: query.limit,
      ...(query.marker === undefined ? {} : { marker: query.marker }),
    };
    const { page, texts } = await this.page(ctx, asked, how, reading);
    return { url, markers: page, items: texts };
  }

  /**
   * A page's rows as texts. Of resources with variables no more than a portion is ever held, however long the page is
   * and however slowly its client takes it: of a long page it is only read at first which rows it has, and of others
   * the rows, too, but for those whose variables are heavy. The rest is read portion by portion, while those before it
   * are sent, each row as it is then.
   */
  private async page(
    ctx: RequestContext,
    asked: Omit<ListRequest, 'body' | 'columns'>,
    how: SerializerOptions,
    reading: Reader,
  ): Promise<{ readonly page: KeysetPage<Row>; readonly texts: Iterable<string> | BodyChunks }> {
    const { shape, limit } = asked;
    const inPortions = how.explained !== undefined || how.members.includes('variables');
    const body = jsonOf(shape, membersOfShape(shape, how.members), ctx);
    const whole = { body, columns: this.presenter.columns(how) };
    const light = { body, columns: sql`${this.presenter.columns({ ...how, lightOnly: true })}, ${ROW_SIZE}` };
    const places = { body: sql`NULL`, columns: ROW_REFERENCE };
    const look = inPortions ? (limit > MAX_ROWS_PER_CHUNK ? places : light) : whole;
    const present = async (rows: readonly Row[], on: Queryable) => {
      const rowsOf = (yetToBeRead: readonly Row[]) => referencedRows(yetToBeRead, shape, ctx, whole);
      return this.presenter.serialize(ctx, inPortions ? await wholeRows(rows, rowsOf, on) : rows, how, on);
    };
    // Values and who set them are read one after the other: on one state of the database, they belong together.
    const together = async <T>(read: (on: Queryable) => Promise<T>): Promise<T> =>
      how.explained ? reading.snapshot(read) : read(reading);
    const { page, first, rest } = await together(async (on) => {
      const page = await this.engine.readPage<Row>({ ...asked, ...look }, on);
      const [portion = [], ...rest] = inPortions ? pageChunks(page.rows) : [page.rows];
      return { page, first: await present(portion, on), rest };
    });
    if (rest.length === 0) return { page, texts: first };
    const texts = (async function* () {
      yield first;
      // No connection is kept for a client that takes its time.
      for (const portion of rest) yield await together((on) => present(portion, on));
    })();
    return { page, texts };
  }

  /**
   * One resource. @param query `resolved-values=false` shows its own variables, `at` how it was
   * @throws InventoryError 400 for a time to come, 404 if the caller cannot see it, or if it was not there
   */
  async show(
    ctx: RequestContext,
    listing: ResourceDefinition,
    id: number | string,
    query: QueryParameters,
  ): Promise<RenderedResource> {
    const { resolved, at } = parseSingleQuery(query, {
      'resolved-values': listing.showsVariables,
      at: listing.timeless !== true,
    });
    const how = { members: shownMembers(listing), resolved, at, few: true };
    return readAsOf(this.database.reader(ctx), at, (on) => this.shown(ctx, listing, id, how, on));
  }

  /** One resource as it is answered after a write: in full, with resolved variables. */
  async showWritten(
    ctx: RequestContext,
    listing: ResourceDefinition,
    id: number | string,
    on: Queryable,
  ): Promise<RenderedResource> {
    return this.shown(ctx, listing, id, { members: shownMembers(listing), resolved: true }, on);
  }

  private async shown(
    ctx: RequestContext,
    listing: ResourceDefinition,
    id: number | string,
    asked: Omit<SerializerOptions, 'listing'>,
    on: Queryable,
  ): Promise<RenderedResource> {
    const { shape } = listing;
    const how: SerializerOptions = { listing, ...asked };
    const scope = visibleProjects(ctx);
    const members = membersOfShape(shape, how.members);
    const [body, source] = how.at
      ? [
          jsonAt(ctx, listing, members, how.at),
          sql`${fromSnapshotAt(shape, scope, [id], how.at)} WHERE ${hasVisibleKeys(shape, ctx, 't.after')}`,
        ]
      : [
          jsonOf(shape, members, ctx),
          sql`${from(shape)} WHERE ${inScope(shape, scope)} AND ${isReadable(shape, ctx)}
            AND t.id = ${id}::${raw(shape.idType)}`,
        ];
    const [row] = await on.rows<Row>(sql`
      SELECT t.id::text AS shown_id, ${raw(shape.fields['version'] ? 't.version' : '0::bigint')} AS version,
        ${this.presenter.columns(how)}, ${body} AS body ${source}`);
    if (!row) throw InventoryError.notFound(shape.kind, id);
    const [text = ''] = await this.presenter.serialize(ctx, [row], how, on);
    return {
      body: text,
      version: row.version,
      url: `${ctx.base}/v1/${shape.collection}/${row.shown_id}`,
      ...(how.at ? { past: true } : {}),
    };
  }

  /**
   * The projects of a list: root's show every project, unless `project_id` narrows them; everybody else sees the own.
   * @throws InventoryError 404 for a project that the caller cannot see
   */
  async scopeOf(
    ctx: RequestContext,
    table: TableShape,
    projectId: string | undefined,
  ): Promise<ProjectScope> {
    if (projectId === undefined) return visibleProjects(ctx);
    const visible = ctx.principal.isRoot
      ? await this.hasProject(ctx, table, projectId)
      : projectId === ctx.projectId;
    if (!visible) throw InventoryError.notFound('project', projectId, 'project_id');
    return { project: projectId };
  }

  private async hasProject(ctx: RequestContext, table: TableShape, projectId: string): Promise<boolean> {
    const known = sql`SELECT FROM (${projectsOf(table)}) AS p WHERE p.project_id = ${projectId}`;
    return (await this.database.reader(ctx).rows(known)).length > 0;
  }
}

const membersOfShape = (shape: ResourceShape, members: readonly string[]): string[] =>
  members.filter((member) => Object.hasOwn(shape.fields, member));

/** The rows of a portion, with those that are yet to be read, but without those that are no longer there. */
async function wholeRows(
  rows: readonly Row[],
  rowsOf: (places: readonly Row[]) => Sql,
  on: Queryable,
): Promise<readonly Row[]> {
  const places = rows.filter(isReference);
  if (places.length === 0) return rows;
  const read = new Map((await on.rows<Row>(rowsOf(places))).map((row) => [row.list_id, row]));
  return rows.flatMap((row) => (isReference(row) ? (read.get(row.list_id) ?? []) : [row]));
}
