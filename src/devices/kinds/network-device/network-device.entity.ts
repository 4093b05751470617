import { ChildEntity } from 'typeorm';
import type { JsonInput } from '../../../database/json-input';
import { Json, Text } from '../../../resources/member-decorators';
import { Device } from '../../device.entity';
import { deviceKind } from '../../device-kind';

/** For example a switch, a router or a firewall. */
@ChildEntity('network-device')
class NetworkDevice extends Device {
  @Text({ nullable: true, example: 'QFX5120', body: { description: 'The model.' } })
  model_name?: string | null;

  @Text({ nullable: true, example: '21.4R3', body: { description: 'The version of the operating system.' } })
  os_version?: string | null;

  @Json({ example: [100, 200], description: 'Any JSON value, or `null`.' })
  vlans?: JsonInput;
}

export const networkDevice = deviceKind({ kind: 'network-device', entity: NetworkDevice });
