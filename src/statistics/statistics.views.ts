import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { deviceKinds } from '../devices/device-kinds';
import { anyValueSchema } from '../variables/explanation';

/** A resource that devices are grouped by. */
export class GroupReferenceView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;
}

/** A number of devices, with the properties that they have in common: one member for each name in `group_by`. */
export class DeviceGroupView {
  @ApiPropertyOptional({ type: GroupReferenceView })
  region?: GroupReferenceView;

  @ApiPropertyOptional({
    type: GroupReferenceView,
    nullable: true,
    description: '`null` for devices that are in no cell.',
  })
  cell?: GroupReferenceView | null;

  @ApiPropertyOptional({
    type: GroupReferenceView,
    description: 'A device with several labels is in several groups, and a device without labels is in none.',
  })
  label?: GroupReferenceView;

  @ApiPropertyOptional({ enum: deviceKinds.map(({ shape }) => shape.kind), example: 'host' })
  kind?: string;

  @ApiPropertyOptional({ example: true })
  active?: boolean;

  @ApiPropertyOptional({ example: 'server' })
  device_type?: string;

  @ApiProperty({ type: 'integer', example: 120 })
  devices!: number;
}

export class DeviceCountsView {
  @ApiProperty({
    type: 'integer',
    example: 120,
    description: 'The number of devices that match the filters.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'The number of groups, including those beyond `limit`; 0 without `group_by`.',
  })
  group_count!: number;

  @ApiProperty({
    type: [DeviceGroupView],
    description: 'The groups with the most devices, the largest first.',
    example: [{ region: { id: 1, name: 'eqiad' }, devices: 120 }],
  })
  groups!: DeviceGroupView[];
}

class CountedValueView {
  @ApiProperty({ ...anyValueSchema, example: ['10.0.0.1'] })
  value!: unknown;

  @ApiProperty({ type: 'integer', example: 118 })
  devices!: number;
}

abstract class DistributionView {
  @ApiProperty({
    type: 'integer',
    example: 120,
    description: 'The number of devices that match the filters.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    example: 2,
    description: 'How many of them resolve the key to no value, or to a value without the `path`.',
  })
  without!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'The number of different values, including those that are not in `values`.',
  })
  distinct!: number;

  @ApiProperty({
    type: [CountedValueView],
    description:
      'The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values.',
  })
  values!: CountedValueView[];
}

/** The distribution in one group of devices. */
class GroupDistributionView extends DistributionView {
  @ApiPropertyOptional({ type: GroupReferenceView })
  region?: GroupReferenceView;

  @ApiPropertyOptional({ type: GroupReferenceView, nullable: true })
  cell?: GroupReferenceView | null;

  @ApiPropertyOptional({ type: GroupReferenceView })
  label?: GroupReferenceView;

  @ApiPropertyOptional({ enum: deviceKinds.map(({ shape }) => shape.kind), example: 'host' })
  kind?: string;
}

export class VariableValuesView extends DistributionView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiPropertyOptional({
    type: [GroupDistributionView],
    description:
      'With `group_by`: the distribution in each group, the largest group first, at most `limit`. A device with several labels is in several groups, and a device without labels is in none.',
    example: [
      {
        region: { id: 1, name: 'eqiad' },
        devices: 120,
        without: 2,
        distinct: 1,
        values: [{ value: ['10.0.0.1'], devices: 118 }],
      },
    ],
  })
  groups?: GroupDistributionView[];
}
