import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { isIP } from 'node:net';
import { LabelledBody } from '../labels/label.dto';
import { JsonCheck, Optional } from '../http/json-member';
import { NullableId, OptionalId, OptionalText, RequiredId, RequiredText } from '../resources/body-members';

const addressError = (value: unknown): string | undefined =>
  typeof value === 'string' && isIP(value) !== 0 && !value.includes('%')
    ? undefined
    : 'must be an IP address';

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
  @JsonCheck('address', addressError)
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
  @JsonCheck('address', addressError)
  ip_address?: string;

  @OptionalText('server')
  device_type?: string;
}
