import type { Type } from '@nestjs/common';
import { Cell, cells } from '../cells/cell.entity';
import { UpdateCell } from '../cells/cell.dto';
import { Cloud, clouds } from '../clouds/cloud.entity';
import { UpdateCloud } from '../clouds/cloud.dto';
import type { ResourceMapping } from '../database/resource-mapping';
import { anyDeviceMapping, deviceInheritance } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { Label, labels } from '../labels/label.entity';
import { UpdateLabel } from '../labels/label.dto';
import { Region, regions } from '../regions/region.entity';
import { UpdateRegion } from '../regions/region.dto';
import { type EntityClass, type Member, membersOf, ownMembersOf, parentOf } from '../resources/members';
import type { ResourceDefinition } from '../resources/resource-definition';
import type { Inheritance } from '../variables/levels';

/** A kind of resource that imports and exports contain, one resource a line. */
export interface BulkKind {
  readonly mapping: ResourceMapping;
  readonly entity: Type<object>;
  /** The body of its update requests. */
  readonly update: Type<object>;
}

/** The resources of one table. */
export interface BulkTable {
  readonly mapping: ResourceMapping;
  readonly inheritance: Inheritance;
  /** The members of lines that identify a resource. */
  readonly identity: readonly string[];
  readonly kinds: readonly BulkKind[];
}

const ofOneKind = (
  { mapping, inheritance }: ResourceDefinition,
  entity: Type<object>,
  update: Type<object>,
  identity: readonly string[] = [mapping.nameField],
): BulkTable => ({ mapping, inheritance, identity, kinds: [{ mapping, entity, update }] });

/** In the order of exports and of writes: a resource follows those that it references. */
export const bulkTables = {
  clouds: ofOneKind(clouds, Cloud, UpdateCloud),
  labels: ofOneKind(labels, Label, UpdateLabel),
  regions: ofOneKind(regions, Region, UpdateRegion),
  cells: ofOneKind(cells, Cell, UpdateCell, ['region', 'name']),
  devices: {
    mapping: anyDeviceMapping,
    inheritance: deviceInheritance,
    identity: ['name'],
    kinds: deviceKinds,
  },
} satisfies Record<string, BulkTable>;

/** A member that lines contain. */
export type LineMember = Member & { readonly lineName: string };

/** The members of lines, in their order. Labels follow the other members of the entity that declares them. */
export function lineMembersOf(entity: EntityClass): readonly LineMember[] {
  if (membersOf(entity).length === 0) return [];
  const own = ownMembersOf(entity).filter((member): member is LineMember => member.lineName !== undefined);
  return [
    ...lineMembersOf(parentOf(entity)),
    ...own.filter(({ type }) => type !== 'labels'),
    ...own.filter(({ type }) => type === 'labels'),
  ];
}
