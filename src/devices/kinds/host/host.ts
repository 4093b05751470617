import { ChildEntity } from 'typeorm';
import { Device, DeviceView } from '../../device';
import { CreateDevice, UpdateDevice } from '../../device.dto';
import { deviceKind } from '../../device-kind';

/** A device that is directly configurable over SSH. */
@ChildEntity('host')
export class Host extends Device {}

export class HostView extends DeviceView {}

export class CreateHost extends CreateDevice {}

export class UpdateHost extends UpdateDevice {}

export const host = deviceKind({
  kind: 'host',
  entity: Host,
  view: HostView,
  create: CreateHost,
  update: UpdateHost,
  fields: {},
});
