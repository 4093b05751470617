import { ApiProperty } from '@nestjs/swagger';
import { Entity, TableInheritance } from 'typeorm';
import { AccessSecret } from '../access-secrets/access-secret.entity';
import { Cell } from '../cells/cell.entity';
import { type LabelTable, VariableOwnerEntity } from '../database/resource-mapping';
import { Region } from '../regions/region.entity';
import { Address, ChangeNote, Flag, Labels, Reference, Text } from '../resources/member-decorators';
import { View } from '../resources/members';
import { LinkView, VariablesProperty } from '../resources/resource.view';
import { ExplainProperty } from '../variables/explanation';

export const deviceLabels: LabelTable = { table: 'device_labels', owner: 'device_id' };

/** All kinds of devices are stored in one table. The column `kind` distinguishes them. */
@Entity('devices')
@TableInheritance({ column: { name: 'kind', type: 'text', update: false } })
export abstract class Device extends VariableOwnerEntity {
  @Text({
    example: 'node1',
    description: 'Unique among the devices of the project.',
    hasNaturalOrder: true,
  })
  name!: string;

  @Reference(() => Region, {
    description: "The device's region.",
    line: { example: 'eqiad', description: "The name of the device's region." },
  })
  region_id!: number;

  @Reference(() => Cell, {
    nullable: true,
    shared: 'region_id',
    description: "The device's cell. It must be in the device's region.",
    line: {
      example: 'rack-1',
      description: "The name of the device's cell. The cell belongs to the region of the device.",
    },
  })
  cell_id?: number | null;

  @Reference(() => Device, {
    nullable: true,
    view: { example: null },
    description:
      'The parent device, in the same project. It must not be the device itself or one of its descendants.',
    line: { example: 'sw1', description: 'The name of the parent device. Unique in the project.' },
  })
  parent_id?: number | null;

  @Address({ example: '10.0.0.1', view: { description: 'The IP address on the control plane.' } })
  ip_address!: string;

  @Text({ example: 'server' })
  device_type!: string;

  @Flag({ default: true, example: true })
  active?: boolean;

  @Labels(deviceLabels)
  labels!: string;

  @ChangeNote()
  note?: string | null;

  // Not in lines: secrets are not exported.
  @Reference(() => AccessSecret, {
    nullable: true,
    view: { example: null },
    description: 'The access secret for the device.',
  })
  access_secret_id?: number | null;
}

/** The members that devices of all kinds have in responses. */
export class DeviceView extends View(Device) {
  @VariablesProperty()
  variables!: object;

  @ApiProperty({
    type: [LinkView],
    description:
      'The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region.',
  })
  links!: LinkView[];

  @ExplainProperty()
  explain?: object;
}
