import { ApiProperty } from '@nestjs/swagger';
import { resolvedVariableChanges } from '../../http/api-schemas';
import { TimeProperty } from '../../http/time-property';
import { ActorView } from '../../resources/change.view';
import { LinkView } from '../../resources/resource.view';

class ChangedLevelView {
  @ApiProperty({ example: 'region' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'ams1' })
  name!: string;

  @ApiProperty({ enum: ['create', 'update', 'delete'] })
  action!: string;
}

/** A change that altered resolved variables of a device. */
class ResolvedChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 42, description: 'The id of the change.' })
  id!: number;

  @TimeProperty()
  created_at!: string;

  @ApiProperty({ type: ActorView })
  actor!: ActorView;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new NTP servers' })
  reason!: string | null;

  @ApiProperty({
    type: [ChangedLevelView],
    description: 'What the change wrote of the device and of the levels that it has after the change.',
  })
  objects!: ChangedLevelView[];

  @ApiProperty({
    ...resolvedVariableChanges,
    example: {
      ntp_servers: {
        before: ['10.0.0.1'],
        after: ['10.0.0.2'],
        level: { kind: 'region', id: 1, name: 'ams1' },
      },
    },
    description:
      'Both sides of each resolved variable that changed, a side absent where the key is not set, and the level that the value comes from; of a variable that is no longer set, the level that it came from.',
  })
  changes!: object;
}

/** A page of the changes of a device. */
export class ResolvedChangesView {
  @ApiProperty({ type: [ResolvedChangeView], description: 'The newest first.' })
  items!: ResolvedChangeView[];

  @ApiProperty({
    type: [LinkView],
    description: '`next`, if there can be older changes. A page can be short or empty before the last one.',
  })
  links!: LinkView[];
}
