import type { Type } from '@nestjs/common';
import { regionMapping } from '../regions/region.entity';
import { cellMapping, inCloudFilter } from '../cells/cell.entity';
import { containsFilter, idsFilter, textsFilter } from '../lists/column-filters';
import {
  addressFilter,
  booleanFilter,
  labelFilter,
  type ListFilter,
  textFilter,
  hasLabelsFilter,
  withoutLabelFilter,
} from '../lists/list-filter';
import { accessSecretMapping } from '../access-secrets/access-secret.entity';
import { TRIGRAM_INDEX } from '../database/trigrams';
import { arrayParameter, sql, type Sql } from '../database/sql';
import type { ResourceMapping, TableMapping } from '../database/resource-mapping';
import type { Inheritance } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { CreateBody, fieldsOf, filtersOf, namedClass, PartialBody, View } from '../resources/members';
import { deviceLabels, Device, DeviceView } from './device.entity';
import { CreateDevice, type UpdateDevice } from './device.dto';
import type { ProjectScope } from '../core/context/request-context';
import { type Selection, selectionStatement, selectsAll } from '../lists/selection';

/** The declaration of a kind of device, one per folder in `kinds/`. */
interface KindDeclaration {
  /**
   * The singular name: the discriminator in the table, and the kind in change records. With an `s` appended, it is the
   * name of the collection in paths and roles.
   */
  readonly kind: string;
  /** The entity, with the members that this kind has in addition to those of all devices. */
  readonly entity: Type<Device>;
}

/** A kind of device, as routes, lists and the API description use it. */
export interface DeviceKind {
  readonly entity: Type<Device>;
  readonly view: Type<DeviceView>;
  readonly create: Type<CreateDevice>;
  readonly update: Type<UpdateDevice>;
  readonly mapping: ResourceMapping;
  readonly definition: ResourceDefinition;
}

/** Devices of any kind, with the members that all kinds have. For references between devices. */
export const anyDeviceMapping: ResourceMapping = {
  kind: 'device',
  collection: 'devices',
  table: 'devices',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(Device),
  carriesVariables: true,
  labels: deviceLabels,
  usedBy: [{ table: 'devices', column: 'parent_id', pluralName: 'child devices' }],
  blockIndex: 'devices_by_block',
};

export const deviceInheritance: Inheritance = {
  region: 't.region_id',
  cell: 't.cell_id',
  labels: deviceLabels,
};

/** The names of all kinds that are declared, which must be listed in `device-kinds.ts`. */
export const declaredKinds: string[] = [];

/** Declares a kind of device. It also needs an entry in `device-kinds.ts`. */
export function deviceKind({ kind, entity }: KindDeclaration): DeviceKind {
  declaredKinds.push(kind);
  const mapping: ResourceMapping = {
    ...anyDeviceMapping,
    kind,
    collection: `${kind}s`,
    kindCondition: `t.kind = '${kind}'`,
    fields: fieldsOf(entity),
  };
  const { name } = entity;
  const create = namedClass(`Create${name}`, CreateBody<Device, CreateDevice>(entity, CreateDevice));
  return {
    entity,
    view: namedClass(`${name}View`, View(entity, DeviceView)),
    create,
    update: namedClass(`Update${name}`, PartialBody(create)),
    mapping,
    definition: definitionOf(mapping, [...deviceFilters, ...filtersOf(entity)]),
  };
}

/** The target of a device's `up` link, as `collection/id`. */
export const upLink = `CASE
  WHEN t.parent_id IS NOT NULL THEN (SELECT p.kind || 's/' || p.id FROM devices p
    WHERE p.project_id = t.project_id AND p.id = t.parent_id)
  WHEN t.cell_id IS NOT NULL THEN 'cells/' || t.cell_id
  ELSE 'regions/' || t.region_id END`;

/** The same at a point in time. Change records contain the kind of a parent even if it was deleted since. */
const pastUpLink = (): Sql => sql`CASE
  WHEN t.parent_id IS NOT NULL THEN (SELECT p.kind || 's/' || p.object_id FROM change_objects p
    WHERE p.project_id = t.project_id AND p.kind = ANY(${arrayParameter(declaredKinds)}::text[]) AND p.object_id = t.parent_id LIMIT 1)
  WHEN t.cell_id IS NOT NULL THEN 'cells/' || t.cell_id
  ELSE 'regions/' || t.region_id END`;

/** The filters by the region and the cell of devices. */
export const locationFilters: readonly ListFilter[] = [
  idsFilter(
    'region_id',
    'Devices in this region. Can be repeated: devices in any of the regions.',
    regionMapping,
  ),
  idsFilter(
    'cell_id',
    'Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells.',
    cellMapping,
    { nullable: true },
  ),
];

/** The filters of devices of every kind. */
export const deviceFilters: readonly ListFilter[] = [
  ...locationFilters,
  textFilter('name', 'The exact name.', 'node1'),
  containsFilter(
    'name_contains',
    'Devices whose name contains this text, in upper or lower case.',
    'node',
    't.name',
    TRIGRAM_INDEX,
  ),
  addressFilter('ip', 't.ip_address'),
  textsFilter(
    'device_type',
    'Devices of exactly this type. Can be repeated: devices of any of the types.',
    'server',
  ),
  labelFilter(deviceLabels.table, deviceLabels.owner),
  withoutLabelFilter(deviceLabels.table, deviceLabels.owner),
  hasLabelsFilter(deviceLabels.table, deviceLabels.owner),
  idsFilter(
    'parent_id',
    'Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices.',
    anyDeviceMapping,
    { nullable: true },
  ),
  idsFilter(
    'access_secret_id',
    'Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets.',
    accessSecretMapping,
    { nullable: true },
  ),
  booleanFilter('active', 'Whether the devices are active.'),
  inCloudFilter(),
  ...filtersOf(Device),
];

function definitionOf(mapping: ResourceMapping, filters: readonly ListFilter[]): ResourceDefinition {
  return {
    mapping,
    inheritance: deviceInheritance,
    filters,
    showsVariables: true,
    filtersVariables: true,
    up: upLink,
    past: { up: pastUpLink },
    expansion: {
      parameter: 'descendants',
      description:
        'Whether to include the descendants of the matching devices, at any depth and through devices of all kinds.',
      selection: (_, scope, selection) => withDescendants(scope, selection),
    },
  };
}

/**
 * Devices of all kinds, with the filters of the lists of one kind, for what selects devices by these: exports and integrations. The
 * list `GET /v1/devices` has its own filters: see `deviceListParameters`.
 */
export const allDevices: ResourceDefinition = definitionOf(anyDeviceMapping, deviceFilters);

/** A descendant can be of another kind than its ancestor. */
const deviceTable: TableMapping = { table: 'devices' };

/** Adds all descendants of the selected devices to a selection. */
export function withDescendants(scope: ProjectScope, selection: Selection): Selection {
  // A selection of all devices already includes their descendants.
  if (selectsAll(selection)) return selection;
  const selected = selectionStatement(deviceTable, scope, selection);
  const query = scope === 'every project' ? acrossProjects(selected) : levelByLevel(selected, scope.project);
  return { kind: 'query', conditions: [], query };
}

/**
 * Reads the tree level by level: one index scan finds the children of all devices of a level, instead of one search per
 * device. Selected devices are excluded from later levels, so that no device is returned twice.
 */
function levelByLevel(selected: Sql, project: string): Sql {
  return sql`WITH RECURSIVE selected AS MATERIALIZED (SELECT DISTINCT id FROM (${selected}) AS rows),
    levels (ids) AS (
      SELECT ARRAY(SELECT id FROM selected)
      UNION ALL
      SELECT ARRAY(SELECT c.id FROM devices c
        WHERE c.project_id = ${project} AND c.parent_id = ANY(levels.ids)
          AND NOT EXISTS (SELECT FROM selected WHERE selected.id = c.id))
      FROM levels WHERE levels.ids <> '{}'
    ) SELECT ${project}::uuid AS project_id, found.id FROM levels, unnest(levels.ids) AS found (id)`;
}

/** Uses UNION instead of UNION ALL, because a selected device can be a descendant of another selected device. */
function acrossProjects(selected: Sql): Sql {
  return sql`WITH RECURSIVE tree (project_id, id) AS (
      SELECT project_id, id FROM (${selected}) AS selected
      UNION
      SELECT c.project_id, c.id FROM tree JOIN devices c
        ON c.project_id = tree.project_id AND c.parent_id = tree.id
    ) SELECT project_id, id FROM tree`;
}
