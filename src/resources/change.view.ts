import { ApiProperty } from '@nestjs/swagger';
import { namedSchema } from '../http/api-schemas';
import { LinkView } from './resource.view';

/** The id of a resource of any kind. */
export const resourceId = namedSchema('ResourceId', {
  oneOf: [
    { type: 'integer', format: 'int64' },
    { type: 'string', format: 'uuid' },
  ],
  description: 'An integer; for a project, a UUID.',
});

class ActorView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null` for a command.',
  })
  id!: number | null;

  @ApiProperty({ example: 'operator', description: 'The username at the time of the change.' })
  username!: string;
}

export class ChangedObjectView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ allOf: [resourceId], example: 1 })
  id!: number | string;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ enum: ['create', 'update', 'delete'] })
  action!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { active: true } })
  before!: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { active: false } })
  after!: object | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description: 'Both sides of every variable that changed; a side is absent where the key is not set.',
  })
  variables!: object;
}

class ImpactCountView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices got a different resolved value of some variable.',
  })
  devices!: number;
}

/** What a change did. It is recorded, or the result of a dry run. */
export abstract class ChangeView {
  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ type: ActorView })
  actor!: ActorView;

  @ApiProperty({ example: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10' })
  request_id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({
    type: ImpactCountView,
    nullable: true,
    description:
      '`null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private.',
  })
  impact!: ImpactCountView | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'How many resources it touched that the caller may see.',
  })
  objects_total!: number;

  @ApiProperty({
    type: [ChangedObjectView],
    description:
      'In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them.',
  })
  objects!: ChangedObjectView[];
}

/** The change of a dry run. It has no id and no time. */
class TriedChangeView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  id!: null;

  @ApiProperty({ type: String, nullable: true, example: null })
  created_at!: null;
}

/** A device whose resolved variables a change alters. */
export class AffectedDeviceView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description:
      'Both sides of every resolved variable that changes; a side is absent where the key is not set.',
  })
  changes!: object;
}

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

  @ApiProperty({ type: [AffectedDeviceView], description: 'A page of the devices, sorted by id.' })
  items!: AffectedDeviceView[];

  @ApiProperty({ type: [LinkView], description: '`self`, and `first` and `next` if these pages exist.' })
  links!: LinkView[];
}

/** The response to a dry run. */
export class PreviewView {
  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Tells a preview from other responses.',
  })
  dry_run!: true;

  @ApiProperty({ type: TriedChangeView, description: 'The record that the change would store.' })
  change!: TriedChangeView;

  @ApiProperty({ type: PreviewedImpactView })
  impact!: PreviewedImpactView;
}
