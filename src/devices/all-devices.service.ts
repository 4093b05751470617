import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SETTINGS, type Settings } from '../core/context/app-settings';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { JsonResponse } from '../http/response';
import { joinItems, parseListUrl, pageLinks } from '../http/list-response';
import { ListEngine, type ListRow } from '../list/list-engine';
import { booleanFilter, parseBooleanValue, idFilter } from '../list/list-filter';
import { filterConditions, parseListQuery, type ResourceListParameters } from '../list/list-query';
import { Database } from '../database/database';
import { join, raw, sql, type Sql } from '../database/sql';
import { jsonOf } from '../database/resource-sql';
import { shownMembers } from '../resources/resource-definition';
import { ResourceSerializer, type SerializerOptions } from '../resources/resource-serializer';
import type { ExplainedRow } from '../variables/explainer';
import { widenToDescendants } from './descendants';
import { anyDeviceShape, deviceInheritance, up } from './device-kind';
import { deviceKinds } from './device-kinds';

/**
 * What `GET /v1/devices` accepts, and nothing else. It documents no 404: an id that the caller cannot see just
 * matches nothing.
 */
export const deviceListParameters: ResourceListParameters = {
  shape: anyDeviceShape,
  members: [],
  filters: [
    idFilter('id', 'This device.'),
    idFilter('region_id', 'In this region.'),
    idFilter('cell_id', 'In this cell.'),
    idFilter('parent_id', 'Directly below this device.'),
    booleanFilter('active', 'Active or not.'),
  ],
  common: ['limit', 'marker'],
  others: [{ name: 'descendants' }],
};

type Row = ListRow<ExplainedRow & { kind: string; up: string | null } & Record<string, unknown>>;

/** Devices across kinds. */
@Injectable()
export class AllDevicesService {
  constructor(
    private readonly database: Database,
    private readonly engine: ListEngine,
    private readonly presenter: ResourceSerializer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of devices, kind by kind. @throws InventoryError 400 for a query that is not well formed */
  async list(ctx: RequestContext, request: Request): Promise<JsonResponse> {
    const address = { ...parseListUrl(request, this.settings), body: 'page' as const };
    const query = parseListQuery(request.query, deviceListParameters, 'page');
    const scope = visibleProjects(ctx);
    const selection = { conditions: filterConditions(ctx, query) };
    const wide = parseBooleanValue('descendants', query.others.get('descendants')?.[0] ?? 'false');
    const how: SerializerOptions = {
      listing: { inheritance: deviceInheritance, up },
      members: ['variables', 'links'],
      resolved: true,
    };
    const reading = this.database.reader(ctx);
    const asked = {
      shape: anyDeviceShape,
      scope,
      ...(wide ? widenToDescendants(scope, selection) : selection),
      order: query.order,
      limit: query.limit,
      ...(query.marker === undefined ? {} : { marker: query.marker }),
      body: bodyByKind(ctx),
      columns: sql`t.kind, ${this.presenter.columns(how)}`,
    };
    const page = await this.engine.readPage<Row>(asked, reading);
    const texts = [...(await this.presenter.serialize(ctx, page.rows, how, reading))];
    const ofKind = (kind: string) => texts.filter((_, i) => page.rows[i]?.kind === kind).join(',');
    const devices = deviceKinds.map(({ shape }) => `"${shape.collection}":[${ofKind(shape.kind)}]`);
    const links = JSON.stringify(pageLinks(address, page));
    return JsonResponse.ok([...joinItems('{"devices":{', devices, '}'), `,"links":${links}}`]);
  }
}

/** Every row shows the members of its kind. */
function bodyByKind(ctx: RequestContext): Sql {
  const cases = deviceKinds.map(({ shape, listing }) => {
    const members = shownMembers(listing).filter((member) => Object.hasOwn(shape.fields, member));
    return sql`WHEN ${raw(`'${shape.kind}'`)} THEN ${jsonOf(shape, members, ctx)}`;
  });
  return sql`CASE t.kind ${join(cases, ' ')} END`;
}
