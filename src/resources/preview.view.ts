import { ApiProperty } from '@nestjs/swagger';
import { ChangeView } from './change.view';
import { LinkView } from './resource.view';

/** A change that was only tried: it has no id and no time. */
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
    description: 'How many devices get another resolved value of some variable; exact.',
  })
  devices!: number;

  @ApiProperty({ type: [String], example: ['ntp_servers'], description: 'Of which variables, in order.' })
  keys!: string[];

  @ApiProperty({ type: [AffectedDeviceView], description: 'A page of the devices, by id.' })
  items!: AffectedDeviceView[];

  @ApiProperty({ type: [LinkView], description: '`self`, and as far as there are any, `first` and `next`.' })
  links!: LinkView[];
}

/** The answer to a dry run. */
export class PreviewView {
  @ApiProperty({ type: Boolean, example: true })
  dry_run!: true;

  @ApiProperty({ type: TriedChangeView, description: 'The record that the change would leave.' })
  change!: TriedChangeView;

  @ApiProperty({ type: PreviewedImpactView })
  impact!: PreviewedImpactView;
}
