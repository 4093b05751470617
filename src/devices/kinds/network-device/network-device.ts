import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChildEntity, Column } from 'typeorm';
import { JsonCheck, JsonMember, Optional } from '../../../http/body-validation';
import type { JsonInput } from '../../../database/json-input';
import { column, json } from '../../../database/resource-shape';
import { NullableText } from '../../../resources/body-members';
import { jsonValueError } from '../../../core/context/variable-keys';
import { Device, DeviceView, CreateDevice, UpdateDevice } from '../../device';
import { deviceKind } from '../../device-kind';

/** For example a switch, a router or a firewall. */
@ChildEntity('network-device')
class NetworkDevice extends Device {
  @Column('text', { nullable: true })
  model_name!: string | null;

  @Column('text', { nullable: true })
  os_version!: string | null;

  @Column('jsonb', { nullable: true })
  vlans!: unknown;
}

const VLANS = {
  // Overrides the type in the metadata that the compiler emits.
  type: Object,
  nullable: true,
  oneOf: ['array', 'object', 'string', 'number', 'boolean'].map((type) =>
    type === 'array' ? { type, items: {} } : { type },
  ),
  example: [100, 200],
  description: 'Any JSON value, or `null`.',
};

class NetworkDeviceView extends DeviceView {
  @ApiProperty({ type: String, nullable: true, example: 'QFX5120' })
  model_name!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '21.4R3' })
  os_version!: string | null;

  @ApiProperty(VLANS)
  vlans!: unknown;
}

const MODEL = 'The model.';
const VERSION = 'The version of the operating system.';

const Vlans = (): PropertyDecorator => (target, property) => {
  Optional()(target, property);
  JsonMember()(target, property);
  JsonCheck('vlans', jsonValueError)(target, property);
  ApiPropertyOptional(VLANS)(target, property);
};

class CreateNetworkDevice extends CreateDevice {
  @NullableText('QFX5120', MODEL)
  model_name?: string | null;

  @NullableText('21.4R3', VERSION)
  os_version?: string | null;

  @Vlans()
  vlans?: JsonInput;
}

class UpdateNetworkDevice extends UpdateDevice {
  @NullableText('QFX5120', MODEL)
  model_name?: string | null;

  @NullableText('21.4R3', VERSION)
  os_version?: string | null;

  @Vlans()
  vlans?: JsonInput;
}

export const networkDevice = deviceKind({
  kind: 'network-device',
  entity: NetworkDevice,
  view: NetworkDeviceView,
  create: CreateNetworkDevice,
  update: UpdateNetworkDevice,
  fields: {
    model_name: column('model_name', 'text', { nullable: true }),
    os_version: column('os_version', 'text', { nullable: true }),
    vlans: json('vlans'),
  },
});
