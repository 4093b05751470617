import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity, TableInheritance } from 'typeorm';
import { type LabelTable, bigintNumber, VariableOwnerEntity } from '../database/resource-shape';
import { ExplainProperty } from '../variables/explanation';
import { LabelsProperty, LinkView, ResourceView, VariablesProperty } from '../resources/resource.view';
import { IsBoolean } from 'class-validator';
import { LabelledBody } from '../labels/label';
import { parseAddress } from '../core/ip-address';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import { NullableId, OptionalId, OptionalText, RequiredId, RequiredText } from '../resources/body-members';

/** All kinds of devices are stored in one table. The column `kind` distinguishes them. */
@Entity('devices')
@TableInheritance({ column: { name: 'kind', type: 'text', update: false } })
export abstract class Device extends VariableOwnerEntity {
  @Column('text')
  name!: string;

  @Column('bigint', { transformer: bigintNumber })
  region_id!: number;

  @Column('bigint', { nullable: true, transformer: bigintNumber })
  cell_id!: number | null;

  @Column('bigint', { nullable: true, transformer: bigintNumber })
  parent_id!: number | null;

  @Column('inet')
  ip_address!: string;

  @Column('text')
  device_type!: string;

  @Column('boolean')
  active!: boolean;

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('bigint', { nullable: true, transformer: bigintNumber })
  access_secret_id!: number | null;
}

/** The members that devices of all kinds have in responses. */
export abstract class DeviceView extends ResourceView {
  @ApiProperty({ example: 'node1', description: 'Unique among the devices of the project.' })
  name!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  region_id!: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 1 })
  cell_id!: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  parent_id!: number | null;

  @ApiProperty({ example: '10.0.0.1', description: 'The IP address on the control plane.' })
  ip_address!: string;

  @ApiProperty({ example: 'server' })
  device_type!: string;

  @ApiProperty({ example: true })
  active!: boolean;

  @LabelsProperty()
  labels!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  note!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  access_secret_id!: number | null;

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

export const deviceLabels: LabelTable = { table: 'device_labels', owner: 'device_id' };

const addressError = (value: unknown): string | undefined =>
  typeof value === 'string' && parseAddress(value) !== undefined ? undefined : 'must be an IP address';

/** Stores one spelling of an address, so that duplicates are found. The import does the same with `addressSql`. */
const Address = (): PropertyDecorator =>
  applyDecorators(
    ReadsWith((value) => (typeof value === 'string' ? parseAddress(value) : undefined)),
    JsonCheck('address', addressError),
  );

/** The members that devices of all kinds have in create and update requests. */
abstract class DeviceBody extends LabelledBody {
  @NullableId("The device's cell. It must be in the device's region.")
  cell_id?: number | null;

  @NullableId(
    'The parent device, in the same project. It must not be the device itself or one of its descendants.',
  )
  parent_id?: number | null;

  @ApiPropertyOptional({ example: true })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  active?: boolean;

  @NullableId('The access secret for the device.')
  access_secret_id?: number | null;
}

/** The members of create requests for devices of all kinds. */
export abstract class CreateDevice extends DeviceBody {
  @RequiredText('node1', 'Unique among the devices of the project.')
  name!: string;

  @RequiredId("The device's region.")
  region_id!: number;

  @ApiProperty({ example: '10.0.0.1' })
  @Address()
  ip_address!: string;

  @RequiredText('server')
  device_type!: string;
}

/** The members of update requests for devices of all kinds. */
export abstract class UpdateDevice extends DeviceBody {
  @OptionalText('node1', 'Unique among the devices of the project.')
  name?: string;

  @OptionalId("The device's region.")
  region_id?: number;

  @ApiPropertyOptional({ example: '10.0.0.1' })
  @Optional()
  @Address()
  ip_address?: string;

  @OptionalText('server')
  device_type?: string;
}
