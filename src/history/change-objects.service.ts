import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { ListRow } from '../lists/read-page';
import { type ListPage, type ListUrl, readCursorPage, type CursorRead } from '../lists/list-page';
import { textFilter } from '../lists/list-filter';
import { filterConditions, parseUnpagedQuery, type ListParameters } from '../lists/list-query';
import { Database } from '../database/database';
import { and, raw, sql, type Sql } from '../database/sql';
import { visibleObject, canSeeObject } from './visible-change';
import { findChange } from './change-record';

/** The parameters of `GET /v1/changes/{id}/objects`. */
export const changeObjectParameters: ListParameters = {
  members: [],
  filters: [
    textFilter('kind', 'Objects of this kind.', 'host', 'o.kind'),
    textFilter('action', 'Objects with this action: `create`, `update` or `delete`.', 'create', 'o.action'),
  ],
  common: ['limit', 'sort_dir'],
  others: [{ name: 'marker' }],
};

/** The position of an object in its change record. */
interface Position {
  readonly ordinal: number;
}

/** Lists all objects of one change. A change can have a million objects; its record shows only the first of them. */
@Injectable()
export class ChangeObjectsService {
  constructor(private readonly database: Database) {}

  /** @throws InventoryError 400 for an invalid query, 404 if the caller cannot see the change */
  async list(ctx: RequestContext, id: number, url: ListUrl): Promise<ListPage> {
    const query = parseUnpagedQuery(url.parameters, changeObjectParameters, url.body);
    const on = this.database.reader(ctx);
    const { projectId } = await findChange(ctx, id, on);
    const conditions = and([
      sql`o.project_id = ${projectId} AND o.change_id = ${id} AND ${canSeeObject(ctx)}`,
      ...filterConditions(ctx, query),
    ]);
    const page = await readCursorPage<Position, Position & Record<string, unknown>>({
      limit: query.limit,
      descending: query.descending,
      after: parseMarker(query.others.get('marker')?.[0]),
      readItems: async (read) =>
        on.rows<ListRow<Position & Record<string, unknown>>>(
          sql`SELECT o.ordinal, ${visibleObject(ctx)}::text AS body ${fromObjects(conditions, read)}`,
        ),
      readPositions: async (read) =>
        on.rows<Position & Record<string, unknown>>(sql`SELECT o.ordinal ${fromObjects(conditions, read)}`),
      positionOf: ({ ordinal }) => ({ ordinal }),
      formatMarker: ({ ordinal }) => String(ordinal),
    });
    return { url, markers: page, items: page.rows.map(({ body }) => body) };
  }
}

/** @throws InventoryError 400 */
function parseMarker(marker: string | undefined): Position | undefined {
  if (marker === undefined) return undefined;
  if (!/^\d{1,9}$/.test(marker))
    throw InventoryError.invalid('marker', 'invalid_format', 'must come from a link of this list');
  return { ordinal: Number(marker) };
}

function fromObjects(conditions: Sql, { after, descending, limit }: CursorRead<Position>): Sql {
  const isAfter = after ? sql`o.ordinal ${raw(descending ? '<' : '>')} ${after.ordinal}` : sql`true`;
  return sql`FROM change_objects o WHERE ${conditions} AND ${isAfter}
    ORDER BY o.ordinal ${raw(descending ? 'DESC' : 'ASC')} LIMIT ${limit}`;
}
