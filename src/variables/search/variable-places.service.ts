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

/** A place in the order of the list. */
interface Position {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

type Row = Position & Record<string, unknown>;

/** What of a list does not change from one page to the next. */
interface PlaceList {
  readonly scope: ProjectScope;
  /** Bounds of the keys. */
  readonly keys: readonly Sql[];
  readonly places: readonly Sql[];
}

/** Every place where variables are set. */
@Injectable()
export class VariablePlacesService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A page of places, in the order of key, kind and id.
   * @throws InventoryError 400 for a query that is not well formed, 404 for a project that the caller cannot see
   */
  async list(ctx: RequestContext, request: Request): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const query = parseUnpaged(request.query, placeParameters, address.body);
    const scope = await this.reader.scopeOf(ctx, projectShape, query.projectId);
    const reading = this.database.reading(ctx);
    const list: PlaceList = { scope, ...conditionsOf(ctx, query) };
    const members = query.members.filter((member) => Object.hasOwn(placeShape.fields, member));
    const page = await readPage<Position, Row>({
      limit: query.limit,
      descending: query.descending,
      after: await this.position(ctx, scope, query.others.get('marker')?.[0]),
      items: async (walk) =>
        reading.rows<Listed<Row>>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id, ${jsonOf(placeShape, members)} AS body
          FROM (${placesOf(ctx, list, walk)}) t
          JOIN changes c ON c.project_id = t.project_id AND c.id = t.change_id ${order(walk.descending)}`),
      positions: async (walk) =>
        reading.rows<Row>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id FROM (${placesOf(ctx, list, walk)}) t
          ${order(walk.descending)}`),
      positionOf: ({ key, kind, id }) => ({ key, kind, id }),
      markerOf: ({ key, kind, id }) => [key, kind, id].join('/'),
    });
    const showsLinks = query.members.includes('links');
    const items = page.rows.map((row) => extended(row.body, showsLinks ? [linksOf(ctx, row)] : []));
    return listAnswer(address, page, items);
  }

  /** @throws InventoryError 400 for a marker that is no place which the caller can see */
  private async position(
    ctx: RequestContext,
    scope: ProjectScope,
    marker: string | undefined,
  ): Promise<Position | undefined> {
    if (marker === undefined) return undefined;
    const [key = '', kind = '', idText = '', ...rest] = marker.split('/');
    const id = rest.length > 0 || marker.includes('\u0000') ? undefined : parseId(idText);
    if (id === undefined)
      throw InventoryError.invalid('marker', 'must be the key, the kind and the id of an item, joined by /');
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

const order = (descending: boolean): Sql => {
  const direction = raw(descending ? 'DESC' : 'ASC');
  return sql`ORDER BY t.key ${direction}, t.object_type ${direction}, t.object_id ${direction}`;
};

/**
 * The places of a walk, key by key: so a filter by kind does not have to read past every device that sets a key, and
 * neither does what the caller may not see. What is left of the marker's own key is entered where the marker is.
 */
function placesOf(ctx: RequestContext, list: PlaceList, walk: Walk<Position>): Sql {
  const { after, descending, limit } = walk;
  const beyond = raw(descending ? '<' : '>');
  const page = (conditions: readonly Sql[]) => sql`SELECT t.* FROM variable_correlations t
    WHERE t.project_id = s.project_id AND ${and([raw(OF_THE_INVENTORY), ...list.places, ...conditions])}
    ${order(descending)} LIMIT ${limit}`;
  const keys = distinctKeys(
    ctx,
    [...list.keys, ...(after ? [sql`t.key ${beyond} ${after.key}`] : [])],
    descending,
  );
  const ofFurtherKeys = sql`(SELECT p.* FROM (${keys}) k CROSS JOIN LATERAL (${page([sql`t.key = k.key`])}) p
    LIMIT ${limit})`;
  // One condition for each run of rows that the index can be entered at, as lists do: see `after` of their keysets.
  const runs = after
    ? [
        sql`t.object_type = ${after.kind} AND t.object_id ${beyond} ${after.id}::bigint`,
        sql`t.object_type ${beyond} ${after.kind}`,
      ].map((run) => sql`(${page([sql`t.key = ${after.key}`, ...list.keys, run])})`)
    : [];
  const arms = join([...runs, ofFurtherKeys], ' UNION ALL ');
  return sql`SELECT t.* FROM ${projectRows(projectShape, list.scope)} CROSS JOIN LATERAL (${arms}) t
    ${order(descending)} LIMIT ${limit}`;
}

const linksOf = (ctx: RequestContext, { kind, id }: Position): string =>
  `"links":${JSON.stringify([{ rel: 'owner', href: `${ctx.base}/v1/${collectionOf.get(kind) ?? kind}/${String(id)}` }])}`;
