import { Injectable } from '@nestjs/common';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { ListEngine, type ListRow } from '../list/list-engine';
import type { ListUrl, PageMarkers } from '../list/list-page';
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

/** A page of devices, by kind. */
interface DevicePage {
  readonly markers: PageMarkers;
  /** Members of a JSON object: the collection of each kind, with its devices. */
  readonly members: readonly string[];
}

/** Devices across kinds. */
@Injectable()
export class AllDevicesService {
  constructor(
    private readonly database: Database,
    private readonly engine: ListEngine,
    private readonly presenter: ResourceSerializer,
  ) {}

  /**
   * A page of devices across kinds.
   * @throws InventoryError 400 for a malformed query
   */
  async list(ctx: RequestContext, url: ListUrl): Promise<DevicePage> {
    const query = parseListQuery(url.parameters, deviceListParameters, 'page');
    const scope = visibleProjects(ctx);
    const selection = { conditions: filterConditions(ctx, query) };
    const wide = parseBooleanValue('descendants', query.others.get('descendants')?.[0] ?? 'false');
    const how: SerializerOptions = {
      definition: { inheritance: deviceInheritance, up },
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
    return { markers: page, members: devices };
  }
}

/** Every row shows the members of its kind. */
function bodyByKind(ctx: RequestContext): Sql {
  const cases = deviceKinds.map(({ shape, definition }) => {
    const members = shownMembers(definition).filter((member) => Object.hasOwn(shape.fields, member));
    return sql`WHEN ${raw(`'${shape.kind}'`)} THEN ${jsonOf(shape, members, ctx)}`;
  });
  return sql`CASE t.kind ${join(cases, ' ')} END`;
}
