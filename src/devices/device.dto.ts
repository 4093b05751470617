import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { isIP } from 'node:net';
import { LabelledBody } from '../labels/labelled-body';
import { JsonCheck, Optional } from '../http/json-member';
import { NullableId, OptionalId, OptionalText, RequiredId, RequiredText } from '../resources/body-members';

const addressFault = (value: unknown): string | undefined =>
  typeof value === 'string' && isIP(value) !== 0 && !value.includes('%')
    ? undefined
    : 'must be an IP address';

/** What a device of any kind may be created or changed with. */
abstract class DeviceBody extends LabelledBody {
  @NullableId("The device's cell, which belongs to its region.")
  cell_id?: number | null;

  @NullableId('The device that this one hangs below: of the same project, neither itself nor below itself.')
  parent_id?: number | null;

  @ApiPropertyOptional({ example: true })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  active?: boolean;

  @NullableId('The secret that gives access to the device.')
  access_secret_id?: number | null;
}

/** What every kind of device is created with. */
export abstract class CreateDevice extends DeviceBody {
  @RequiredText('node1', 'Unique among the devices of the project.')
  name!: string;

  @RequiredId("The device's region.")
  region_id!: number;

  @ApiProperty({ example: '10.0.0.1' })
  @JsonCheck('address', addressFault)
  ip_address!: string;

  @RequiredText('server')
  device_type!: string;
}

/** What of every kind of device can be changed. */
export abstract class UpdateDevice extends DeviceBody {
  @OptionalText('node1', 'Unique among the devices of the project.')
  name?: string;

  @OptionalId("The device's region.")
  region_id?: number;

  @ApiPropertyOptional({ example: '10.0.0.1' })
  @Optional()
  @JsonCheck('address', addressFault)
  ip_address?: string;

  @OptionalText('server')
  device_type?: string;
}
