import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { projectShape } from '../../accounts/project';
import { ResourceReader } from '../../resources/resource-reader';
import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import { SETTINGS, type Settings } from '../../core/context/app-settings';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Answer } from '../../http/response';
import { listAddress, listAnswer } from '../../http/list-response';
import { parseId } from '../../core/parse-id';
import { extended } from '../../core/json/json-document';
import type { Listed } from '../../list/list-engine';
import { filterConditions, parseUnpaged, type UnpagedQuery } from '../../list/list-query';
import { Database } from '../../database/database';
import { and, join, raw, sql, type Sql } from '../../database/sql';
import { jsonOf, projectRows } from '../../database/resource-sql';
import { distinctKeys, keyFilter, OF_THE_INVENTORY } from './distinct-keys';
import { collectionOf, placeParameters, placeShape } from './variable-place';
import { readPage, type Walk } from '../../list/cursor-page';

/** The position of a place in the list. */
interface PlacePosition {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

type Row = PlacePosition & Record<string, unknown>;

/** The parameters of a list that are the same for all reads. */
interface PlaceList {
  readonly scope: ProjectScope;
  /** Conditions that bound the keys. */
  readonly keys: readonly Sql[];
  readonly places: readonly Sql[];
}

/** Lists all places where variables are set. */
@Injectable()
export class VariablePlacesService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Lists a page of places in the order of key, kind and id.
   * @throws InventoryError 400 for a malformed query, 404 for a project that the caller cannot see
   */
  async list(ctx: RequestContext, request: Request): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const query = parseUnpaged(request.query, placeParameters, address.body);
    const scope = await this.reader.scopeOf(ctx, projectShape, query.projectId);
    const reader = this.database.reading(ctx);
    const list: PlaceList = { scope, ...conditionsOf(ctx, query) };
    const members = query.members.filter((member) => Object.hasOwn(placeShape.fields, member));
    const page = await readPage<PlacePosition, Row>({
      limit: query.limit,
      descending: query.descending,
      after: await this.parseMarker(ctx, scope, query.others.get('marker')?.[0]),
      items: async (read) =>
        reader.rows<Listed<Row>>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id, ${jsonOf(placeShape, members)} AS body
          FROM (${placesStatement(ctx, list, read)}) t
          JOIN changes c ON c.project_id = t.project_id AND c.id = t.change_id ${orderBy(read.descending)}`),
      positions: async (read) =>
        reader.rows<Row>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id FROM (${placesStatement(ctx, list, read)}) t
          ${orderBy(read.descending)}`),
      positionOf: ({ key, kind, id }) => ({ key, kind, id }),
      markerOf: ({ key, kind, id }) => [key, kind, id].join('/'),
    });
    const showsLinks = query.members.includes('links');
    const items = page.rows.map((row) => extended(row.body, showsLinks ? [renderLinks(ctx, row)] : []));
    return listAnswer(address, page, items);
  }

  /** @throws InventoryError 400 for a marker that is not a place which the caller can see */
  private async parseMarker(
    ctx: RequestContext,
    scope: ProjectScope,
    marker: string | undefined,
  ): Promise<PlacePosition | undefined> {
    if (marker === undefined) return undefined;
    const [key = '', kind = '', idText = '', ...rest] = marker.split('/');
    const id = rest.length > 0 || marker.includes('\u0000') ? undefined : parseId(idText);
    if (id === undefined)
      throw InventoryError.invalid(
        'marker',
        'must be the key, the kind and the id of an item, separated by /',
      );
    const [found] = await this.database.reading(ctx).rows(sql`
      SELECT FROM ${projectRows(projectShape, scope)} JOIN variable_correlations t ON t.project_id = s.project_id
      WHERE t.key = ${ctx.visibility.searchableKey(key)} AND t.object_type = ${kind} AND t.object_id = ${id}
        AND ${raw(OF_THE_INVENTORY)}`);
    if (found) return { key, kind, id };
    throw InventoryError.invalid('marker', 'is not the place of an item in this list');
  }
}

function conditionsOf(ctx: RequestContext, query: UnpagedQuery): Pick<PlaceList, 'keys' | 'places'> {
  const isKey = ([filter]: UnpagedQuery['filters'][number]) => filter === keyFilter;
  return {
    keys: filterConditions(ctx, { filters: query.filters.filter(isKey) }),
    places: filterConditions(ctx, { filters: query.filters.filter((one) => !isKey(one)) }),
  };
}

const orderBy = (descending: boolean): Sql => {
  const direction = raw(descending ? 'DESC' : 'ASC');
  return sql`ORDER BY t.key ${direction}, t.object_type ${direction}, t.object_id ${direction}`;
};

/**
 * The places of a read, one key after the other. So a filter by kind, or a key that the caller cannot see, does not
 * read all devices that set a key. The remaining places of the marker's key are read from the marker on.
 */
function placesStatement(ctx: RequestContext, list: PlaceList, read: Walk<PlacePosition>): Sql {
  const { after, descending, limit } = read;
  const operator = raw(descending ? '<' : '>');
  const page = (conditions: readonly Sql[]) => sql`SELECT t.* FROM variable_correlations t
    WHERE t.project_id = s.project_id AND ${and([raw(OF_THE_INVENTORY), ...list.places, ...conditions])}
    ${orderBy(descending)} LIMIT ${limit}`;
  const keys = distinctKeys(
    ctx,
    [...list.keys, ...(after ? [sql`t.key ${operator} ${after.key}`] : [])],
    descending,
  );
  const laterKeys = sql`(SELECT p.* FROM (${keys}) k CROSS JOIN LATERAL (${page([sql`t.key = k.key`])}) p
    LIMIT ${limit})`;
  // One condition for each run of rows at which an index scan can start, like `rowsAfter` of the list engine.
  const runs = after
    ? [
        sql`t.object_type = ${after.kind} AND t.object_id ${operator} ${after.id}::bigint`,
        sql`t.object_type ${operator} ${after.kind}`,
      ].map((run) => sql`(${page([sql`t.key = ${after.key}`, ...list.keys, run])})`)
    : [];
  const arms = join([...runs, laterKeys], ' UNION ALL ');
  return sql`SELECT t.* FROM ${projectRows(projectShape, list.scope)} CROSS JOIN LATERAL (${arms}) t
    ${orderBy(descending)} LIMIT ${limit}`;
}

const renderLinks = (ctx: RequestContext, { kind, id }: PlacePosition): string =>
  `"links":${JSON.stringify([{ rel: 'owner', href: `${ctx.base}/v1/${collectionOf.get(kind) ?? kind}/${String(id)}` }])}`;
