import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { readingAt } from '../changes/point-in-time';
import { fromPast } from '../changes/past-state';
import { SETTINGS, type Settings } from '../core/context/app-settings';
import { visibleProjects, type ProjectScope, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Answer, Portions } from '../http/response';
import { listAddress, listAnswer } from '../http/list-response';
import type { QueryParameters } from '../core/query-parameters';
import { ListEngine, type Listed, type Page } from '../list/list-engine';
import { parseListQuery } from '../list/list-query';
import type { Branch, ListRequest } from '../list/list-request';
import { Database, type Queryable, type Reading } from '../database/database';
import { raw, sql, type Sql } from '../database/sql';
import { from, inScope, isReadable, jsonOf, namesVisibleKeys, projectsOf } from '../database/resource-sql';
import type { ResourceShape, TableShape } from '../database/resource-shape';
import type { ExplainedRow } from '../variables/explainer';
import { explainedKeys } from '../variables/explanation';
import { listParameters, shownMembers, type Listing } from './resource-definition';
import { pastJsonOf } from './past-members';
import { isYetToBeRead, MOST_ROWS, PLACES, portionsOf, rowsAt, WEIGHT, type PlacedRow } from './page-chunks';
import { Presenter, type Presentation } from './resource-serializer';
import { Selections } from './list-filter-compiler';
import { parseSingleQuery } from './single-resource-query';

/** One resource as it is shown. */
export interface Shown {
  readonly body: string;
  readonly version: number;
  /** Set for a resource as it was. */
  readonly past?: true;
  /** Where it is, from the scheme on. */
  readonly url: string;
}

type Row = Listed<
  ExplainedRow &
    PlacedRow & { up: string | null; shown_id: string; version: number } & Record<string, unknown>
>;

/** Of so many rows it costs less to read the levels' stamps with each than to ask for the levels. */
const FEW = 30;

/** Reads any resource, one or a list, as the caller may see it. */
@Injectable()
export class ResourceReader {
  constructor(
    private readonly database: Database,
    private readonly engine: ListEngine,
    private readonly selections: Selections,
    private readonly presenter: Presenter,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Refuses what a list would, before anything is read. @throws InventoryError 400 for a query that is not well formed */
  requireWellFormed(listing: Listing, request: Request): void {
    const { body } = listAddress(request, this.settings);
    parseListQuery(request.query, listParameters(listing), body);
  }

  /**
   * A page of a list.
   * @param through the way to the only rows that the list may have
   * @throws InventoryError 400 for a query that is not well formed, 404 for a filter by what the caller cannot see
   */
  async list(ctx: RequestContext, listing: Listing, request: Request, through?: Branch): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const query = parseListQuery(request.query, listParameters(listing), address.body);
    const scope = await this.scopeOf(ctx, listing.shape, query.projectId);
    const explain = query.others.get('explain')?.[0];
    const how: Presentation = {
      listing,
      members: query.members,
      resolved: query.resolved,
      explained: explain === undefined ? undefined : { shape: listing.shape, keys: explainedKeys(explain) },
      few: query.limit <= FEW,
    };
    const reading = this.database.reading(ctx);
    const selection = await this.selections.of(ctx, listing, query, scope, reading);
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
    return listAnswer(address, page, texts);
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
    how: Presentation,
    reading: Reading,
  ): Promise<{ readonly page: Page<Row>; readonly texts: Iterable<string> | Portions }> {
    const { shape, limit } = asked;
    const inPortions = how.explained !== undefined || how.members.includes('variables');
    const body = jsonOf(shape, membersOfShape(shape, how.members), ctx);
    const whole = { body, columns: this.presenter.columns(how) };
    const light = { body, columns: sql`${this.presenter.columns({ ...how, lightOnly: true })}, ${WEIGHT}` };
    const places = { body: sql`NULL`, columns: PLACES };
    const look = inPortions ? (limit > MOST_ROWS ? places : light) : whole;
    const present = async (rows: readonly Row[], on: Queryable) => {
      const rowsOf = (yetToBeRead: readonly Row[]) => rowsAt(yetToBeRead, shape, ctx, whole);
      return this.presenter.present(ctx, inPortions ? await wholeRows(rows, rowsOf, on) : rows, how, on);
    };
    // Values and who set them are read one after the other: on one state of the database, they belong together.
    const together = async <T>(read: (on: Queryable) => Promise<T>): Promise<T> =>
      how.explained ? reading.snapshot(read) : read(reading);
    const { page, first, rest } = await together(async (on) => {
      const page = await this.engine.page<Row>({ ...asked, ...look }, on);
      const [portion = [], ...rest] = inPortions ? portionsOf(page.rows) : [page.rows];
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
  async one(
    ctx: RequestContext,
    listing: Listing,
    id: number | string,
    query: QueryParameters,
  ): Promise<Shown> {
    const { resolved, at } = parseSingleQuery(query, {
      'resolved-values': listing.showsVariables,
      at: listing.timeless !== true,
    });
    const how = { members: shownMembers(listing), resolved, at, few: true };
    return readingAt(this.database.reading(ctx), at, (on) => this.shown(ctx, listing, id, how, on));
  }

  /** One resource as it is answered after a write: in full, with resolved variables. */
  async written(ctx: RequestContext, listing: Listing, id: number | string, on: Queryable): Promise<Shown> {
    return this.shown(ctx, listing, id, { members: shownMembers(listing), resolved: true }, on);
  }

  private async shown(
    ctx: RequestContext,
    listing: Listing,
    id: number | string,
    asked: Omit<Presentation, 'listing'>,
    on: Queryable,
  ): Promise<Shown> {
    const { shape } = listing;
    const how: Presentation = { listing, ...asked };
    const scope = visibleProjects(ctx);
    const members = membersOfShape(shape, how.members);
    const [body, source] = how.at
      ? [
          pastJsonOf(ctx, listing, members, how.at),
          sql`${fromPast(shape, scope, [id], how.at)} WHERE ${namesVisibleKeys(shape, ctx, 't.after')}`,
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
    const [text = ''] = await this.presenter.present(ctx, [row], how, on);
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
    return (await this.database.reading(ctx).rows(known)).length > 0;
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
  const places = rows.filter(isYetToBeRead);
  if (places.length === 0) return rows;
  const read = new Map((await on.rows<Row>(rowsOf(places))).map((row) => [row.list_id, row]));
  return rows.flatMap((row) => (isYetToBeRead(row) ? (read.get(row.list_id) ?? []) : [row]));
}
