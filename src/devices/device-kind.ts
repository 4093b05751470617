import type { Type } from '@nestjs/common';
import { regionShape } from '../regions/region';
import { cellShape, inCloudFilter } from '../cells/cell';
import { addressFilter, booleanFilter, idFilter, labelFilter, textFilter } from '../list/list-filter';
import { list, sql, type Sql } from '../database/sql';
import {
  address,
  column,
  historyFields,
  identityFields,
  labelNames,
  type Field,
  type ResourceShape,
} from '../database/resource-shape';
import type { Inheritance } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { widenToDescendants } from './descendants';
import { deviceLabels, type Device, type DeviceView } from './device';
import type { CreateDevice, UpdateDevice } from './device.dto';

/** What a folder under `kinds/` declares of its kind. */
interface KindDeclaration<
  E extends Device,
  V extends DeviceView,
  C extends CreateDevice,
  U extends UpdateDevice,
> {
  /**
   * In the singular: the discriminator in the table, and the word in change records. With an `s` it is the
   * collection: the path, and the word in roles.
   */
  readonly kind: string;
  readonly entity: Type<E>;
  readonly view: Type<V>;
  readonly create: Type<C>;
  readonly update: Type<U>;
  /** The members that this kind has beyond every device's. */
  readonly fields: Readonly<Record<Exclude<keyof V, keyof DeviceView>, Field>>;
}

/** A kind of device, ready for routes, lists and the API's description. */
export interface DeviceKind {
  readonly entity: Type<Device>;
  readonly view: Type<DeviceView>;
  readonly create: Type<CreateDevice>;
  readonly update: Type<UpdateDevice>;
  readonly shape: ResourceShape;
  readonly definition: ResourceDefinition;
}

const sharedFields: Record<
  Exclude<keyof DeviceView, 'variables' | 'links' | 'explain' | 'created_at' | 'updated_at' | 'version'>,
  Field
> = {
  ...identityFields,
  name: column('name', 'text'),
  region_id: column('region_id', 'bigint'),
  cell_id: column('cell_id', 'bigint', { nullable: true }),
  parent_id: column('parent_id', 'bigint', { nullable: true }),
  ip_address: address('ip_address'),
  device_type: column('device_type', 'text'),
  active: column('active', 'boolean'),
  labels: labelNames(deviceLabels),
  note: column('note', 'text', { nullable: true }),
  access_secret_id: column('access_secret_id', 'bigint', { nullable: true }),
};

/** Devices of every kind, by what they have in common: for references among devices. */
export const anyDeviceShape: ResourceShape = {
  kind: 'device',
  collection: 'devices',
  table: 'devices',
  idType: 'bigint',
  nameField: 'name',
  fields: { ...sharedFields, ...historyFields },
  carriesVariables: true,
  labels: deviceLabels,
  usedBy: [{ table: 'devices', column: 'parent_id', noun: 'child devices' }],
  blockIndex: 'devices_by_block',
};

export const deviceInheritance: Inheritance = {
  region: 't.region_id',
  cell: 't.cell_id',
  labels: deviceLabels,
};

/** The kinds that are declared, as change records name them. */
const declared: string[] = [];

/** Declares a kind of device. Everything else follows from the list in `device-kinds.ts`. */
export function deviceKind<
  E extends Device,
  V extends DeviceView,
  C extends CreateDevice,
  U extends UpdateDevice,
>(declaration: KindDeclaration<E, V, C, U>): DeviceKind {
  const { kind, entity, view, create, update, fields } = declaration;
  declared.push(kind);
  const shape: ResourceShape = {
    ...anyDeviceShape,
    kind,
    collection: `${kind}s`,
    only: `t.kind = '${kind}'`,
    fields: { ...sharedFields, ...fields, ...historyFields },
  };
  return { entity, view, create, update, shape, definition: definitionOf(shape) };
}

/** What a device's answer links up to, as `collection/id`. */
export const up = `CASE
  WHEN t.parent_id IS NOT NULL THEN (SELECT p.kind || 's/' || p.id FROM devices p
    WHERE p.project_id = t.project_id AND p.id = t.parent_id)
  WHEN t.cell_id IS NOT NULL THEN 'cells/' || t.cell_id
  ELSE 'regions/' || t.region_id END`;

/** The same for a device `t` of a moment: its parent may be gone by now, but always was of the kind that records tell. */
const pastUp = (): Sql => sql`CASE
  WHEN t.parent_id IS NOT NULL THEN (SELECT p.kind || 's/' || p.object_id FROM change_objects p
    WHERE p.project_id = t.project_id AND p.kind = ANY(${list(declared)}::text[]) AND p.object_id = t.parent_id LIMIT 1)
  WHEN t.cell_id IS NOT NULL THEN 'cells/' || t.cell_id
  ELSE 'regions/' || t.region_id END`;

function definitionOf(shape: ResourceShape): ResourceDefinition {
  return {
    shape,
    inheritance: deviceInheritance,
    filters: [
      idFilter('region_id', 'In this region.', regionShape),
      idFilter('cell_id', 'In this cell.', cellShape),
      textFilter('name', 'The exact name.', 'node1'),
      addressFilter('ip', 't.ip_address'),
      textFilter('device_type', 'The exact type.', 'server'),
      labelFilter(deviceLabels.table, deviceLabels.owner),
      idFilter('parent_id', 'Directly below this device.', anyDeviceShape),
      booleanFilter('active', 'Active or not.'),
      inCloudFilter(),
    ],
    showsVariables: true,
    filtersVariables: true,
    up,
    past: { up: pastUp },
    widen: {
      parameter: 'descendants',
      description:
        'Whether the descendants of the matched devices are included, through devices of every kind.',
      selection: (_, scope, selection) => widenToDescendants(scope, selection),
    },
  };
}
