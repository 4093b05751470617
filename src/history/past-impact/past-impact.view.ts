import { ApiProperty } from '@nestjs/swagger';
import { AffectedDeviceView } from '../../resources/preview.view';
import { LinkView } from '../../resources/resource.view';

/** What a change on record did to devices. */
export class PastImpactView {
  @ApiProperty({
    type: [AffectedDeviceView],
    description: 'A page of the devices whose resolved variables the change altered, by id.',
  })
  items!: AffectedDeviceView[];

  @ApiProperty({
    type: [LinkView],
    description: '`next`, as long as there may be more: a page can be short, even empty, before the end.',
  })
  links!: LinkView[];
}
