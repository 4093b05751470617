import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../core/context/request-context';
import { SETTINGS, type Settings } from '../core/context/app-settings';
import { InventoryError } from '../core/errors/inventory-error';
import type { Answer } from '../http/response';
import { listAddress, listAnswer } from '../http/list-response';
import type { Listed } from '../list/list-engine';
import { textFilter } from '../list/list-filter';
import { filterConditions, parseUnpaged, type ListNames } from '../list/list-query';
import { readPage, type Walk } from '../list/cursor-page';
import { Database } from '../database/database';
import { and, raw, sql, type Sql } from '../database/sql';
import { seenObject, seesObject } from './visible-change';
import { visibleChange } from './find-change';

/** What `GET /v1/changes/{id}/objects` accepts. */
export const objectParameters: ListNames = {
  members: [],
  filters: [
    textFilter('kind', 'Resources of this kind.', 'host', 'o.kind'),
    textFilter('action', 'What happened to them: `create`, `update` or `delete`.', 'create', 'o.action'),
  ],
  common: ['limit', 'sort_dir'],
  others: [{ name: 'marker' }],
};

/** The place of an object in its record. */
interface Position {
  readonly ordinal: number;
}

/** Everything that one change touched: a record may tell of a million resources, and shows the first of them itself. */
@Injectable()
export class ChangeObjectsService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws InventoryError 400 for a query that is not well formed, 404 if the caller cannot see the change */
  async list(ctx: RequestContext, id: number, request: Request): Promise<Answer> {
    const address = listAddress(request, this.settings);
    const query = parseUnpaged(request.query, objectParameters, address.body);
    const reading = this.database.reading(ctx);
    const { projectId } = await visibleChange(ctx, id, reading);
    const conditions = and([
      sql`o.project_id = ${projectId} AND o.change_id = ${id} AND ${seesObject(ctx)}`,
      ...filterConditions(ctx, query),
    ]);
    const page = await readPage<Position, Position & Record<string, unknown>>({
      limit: query.limit,
      descending: query.descending,
      after: positionOf(query.others.get('marker')?.[0]),
      items: async (walk) =>
        reading.rows<Listed<Position & Record<string, unknown>>>(
          sql`SELECT o.ordinal, ${seenObject(ctx)}::text AS body ${objects(conditions, walk)}`,
        ),
      positions: async (walk) =>
        reading.rows<Position & Record<string, unknown>>(sql`SELECT o.ordinal ${objects(conditions, walk)}`),
      positionOf: ({ ordinal }) => ({ ordinal }),
      markerOf: ({ ordinal }) => String(ordinal),
    });
    return listAnswer(
      address,
      page,
      page.rows.map(({ body }) => body),
    );
  }
}

/** @throws InventoryError 400 */
function positionOf(marker: string | undefined): Position | undefined {
  if (marker === undefined) return undefined;
  if (!/^\d{1,9}$/.test(marker))
    throw InventoryError.invalid('marker', 'must be one that a link of this list gave');
  return { ordinal: Number(marker) };
}

function objects(conditions: Sql, { after, descending, limit }: Walk<Position>): Sql {
  const beyond = after ? sql`o.ordinal ${raw(descending ? '<' : '>')} ${after.ordinal}` : sql`true`;
  return sql`FROM change_objects o WHERE ${conditions} AND ${beyond}
    ORDER BY o.ordinal ${raw(descending ? 'DESC' : 'ASC')} LIMIT ${limit}`;
}
