import { Injectable } from '@nestjs/common';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { planList } from '../lists/list-plan';
import type { ListUrl, PageMarkers } from '../lists/list-page';
import { booleanFilter, parseBooleanValue, idFilter } from '../lists/list-filter';
import { filterConditions, parseListQuery, type ResourceListParameters } from '../lists/list-query';
import { type ListRow, PageReader } from '../lists/read-page';
import type { Selection } from '../lists/selection';
import { Database } from '../database/database';
import { join, raw, sql, type Sql } from '../database/sql';
import { jsonOf } from '../database/resource-sql';
import { shownMembers } from '../resources/resource-definition';
import { ResourceSerializer, type SerializerOptions } from '../resources/resource-serializer';
import type { ExplainedRow } from '../variables/explainer';
import { filtersOf } from '../resources/members';
import { Device } from './device.entity';
import { anyDeviceMapping, deviceInheritance, upLink, withDescendants } from './device-kind';
import { deviceKindNames, deviceKinds } from './device-kinds';

/**
 * All parameters of `GET /v1/devices`. They are part of its API, and are not those of `allDevices`: each compares one value with a
 * column. The filters have no target mapping, because this list never returns 404: an id that the caller cannot see matches
 * nothing.
 */
export const deviceListParameters: ResourceListParameters = {
  mapping: anyDeviceMapping,
  members: [],
  filters: [
    idFilter('id', 'The device with this id.'),
    idFilter('region_id', 'Devices in this region.'),
    idFilter('cell_id', 'Devices in this cell.'),
    idFilter('parent_id', 'Devices whose parent is this device.'),
    booleanFilter('active', 'Whether the devices are active.'),
    ...filtersOf(Device),
  ],
  common: ['limit', 'marker'],
  others: [{ name: 'descendants' }],
};

type Row = ListRow<ExplainedRow & { kind: string; up: string | null } & Record<string, unknown>>;

/** A page of devices, by kind. */
interface DevicePage {
  readonly markers: PageMarkers;
  /** Members of a JSON object: one per kind, with the name of the collection and an array of devices. */
  readonly members: readonly string[];
}

/** Lists devices of all kinds. */
@Injectable()
export class AllDevicesService {
  constructor(
    private readonly database: Database,
    private readonly pages: PageReader,
    private readonly serializer: ResourceSerializer,
  ) {}

  /**
   * Reads a page of devices of all kinds.
   * @throws InventoryError 400 for an invalid query
   */
  async list(ctx: RequestContext, url: ListUrl): Promise<DevicePage> {
    const query = parseListQuery(url.parameters, deviceListParameters, 'page');
    const selection: Selection = { kind: 'table', conditions: filterConditions(ctx, query) };
    const includesDescendants = parseBooleanValue(
      'descendants',
      query.others.get('descendants')?.[0] ?? 'false',
    );
    const options: SerializerOptions = {
      definition: { inheritance: deviceInheritance, up: upLink },
      members: ['variables', 'links'],
      resolved: true,
    };
    const reader = this.database.reader(ctx);
    const scopes = await this.database.statementScopes(anyDeviceMapping, visibleProjects(ctx));
    const plan = planList({
      mapping: anyDeviceMapping,
      selections: scopes.map((scope) => ({
        scope,
        selection: includesDescendants ? withDescendants(scope, selection) : selection,
      })),
      order: query.order,
      limit: query.limit,
      marker: query.marker,
      readable: sql`true`,
      deleted: { kinds: deviceKindNames, readable: sql`true` },
      select: {
        body: bodyByKind(ctx),
        columns: sql`t.kind, ${this.serializer.columns(options)}`,
        joins: sql``,
      },
    });
    const page = await this.pages.read<Row>(plan, reader);
    const texts = [...(await this.serializer.serialize(ctx, page.rows, options, reader))];
    const ofKind = (kind: string) => texts.filter((_, i) => page.rows[i]?.kind === kind).join(',');
    const devices = deviceKinds.map(({ mapping }) => `"${mapping.collection}":[${ofKind(mapping.kind)}]`);
    return { markers: page, members: devices };
  }
}

/** The body of a row has the members of its kind. */
function bodyByKind(ctx: RequestContext): Sql {
  const cases = deviceKinds.map(({ mapping, definition }) => {
    const members = shownMembers(definition).filter((member) => Object.hasOwn(mapping.fields, member));
    return sql`WHEN ${raw(`'${mapping.kind}'`)} THEN ${jsonOf(mapping, members, ctx)}`;
  });
  return sql`CASE t.kind ${join(cases, ' ')} END`;
}
