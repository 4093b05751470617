import { ApiProperty } from '@nestjs/swagger';
import { AffectedDeviceView } from '../../resources/preview.view';
import { LinkView } from '../../resources/resource.view';

/** The devices that a recorded change affected. */
export class PastImpactView {
  @ApiProperty({
    type: [AffectedDeviceView],
    description: 'A page of the devices whose resolved variables the change altered, ordered by id.',
  })
  items!: AffectedDeviceView[];

  @ApiProperty({
    type: [LinkView],
    description: '`next`, if there can be more devices. A page can be short or empty before the last one.',
  })
  links!: LinkView[];
}
