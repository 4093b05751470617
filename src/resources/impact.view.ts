import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { anyValueSchema, variableChanges } from '../http/api-schemas';
import { LinkView } from './resource.view';

/** A device whose resolved variables a change alters. */
export class AffectedDeviceView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({
    ...variableChanges,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description:
      'Both sides of every resolved variable that changes; a side is absent where the key is not set.',
  })
  changes!: object;
}

/** A device in a preview. */
class PreviewedDeviceView extends AffectedDeviceView {
  @ApiPropertyOptional({
    example: true,
    description: 'True if the write creates the device: no device has this id yet.',
  })
  created?: boolean;
}

class RegionCountView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ type: 'integer', format: 'int64', example: 12 })
  devices!: number;
}

/** Both sides of a member or a variable. */
export class WrittenValueView {
  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1'],
    description: 'Absent where it is not set.',
  })
  before?: unknown;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.2'],
    description: 'Absent where it is not set.',
  })
  after?: unknown;
}

/** Devices on which the value of a variable changes in the same way. */
export class ImpactGroupView extends WrittenValueView {
  @ApiProperty({
    example: 'mC0uK3P0YQ2v1Q4s',
    description: 'Identifies the variable with both values: the same in every response.',
  })
  id!: string;

  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices it changes on.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 2,
    description:
      'How many devices do not get the value, because a narrower level overrides it. In a preview, 0 if several levels change at once and one is a label.',
  })
  overriding!: number;

  @ApiProperty({
    type: [RegionCountView],
    example: [{ id: 1, devices: 12 }],
    description: 'The regions with the most of these devices: up to 20.',
  })
  regions!: RegionCountView[];

  @ApiProperty({ type: 'integer', example: 1, description: 'The number of all regions with such devices.' })
  regions_total!: number;
}

export const impactGroups = {
  type: [ImpactGroupView],
  description: 'The changes of values, those of the most devices first: up to 100.',
} satisfies ApiPropertyOptions;

export const impactGroupsTotal = {
  type: 'integer',
  example: 1,
  description: 'The number of all groups. At most 10,000 are counted: the first ones that are found.',
} satisfies ApiPropertyOptions;

export class PreviewedImpactView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'How many devices get a different resolved value of some variable. The number is exact.',
  })
  devices!: number;

  @ApiProperty({
    type: [String],
    example: ['ntp_servers'],
    description: 'The keys of these variables, sorted.',
  })
  keys!: string[];

  @ApiPropertyOptional({
    ...impactGroups,
    description: `${impactGroups.description} Only on the first page.`,
  })
  groups?: ImpactGroupView[];

  @ApiPropertyOptional(impactGroupsTotal)
  groups_total?: number;

  @ApiProperty({ type: [PreviewedDeviceView], description: 'A page of the devices, sorted by id.' })
  items!: PreviewedDeviceView[];

  @ApiProperty({ type: [LinkView], description: '`self`, and `first` and `next` if these pages exist.' })
  links!: LinkView[];
}
