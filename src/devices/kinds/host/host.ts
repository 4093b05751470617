import { ChildEntity } from 'typeorm';
import { Device, DeviceView, CreateDevice, UpdateDevice } from '../../device';
import { deviceKind } from '../../device-kind';

/** A device that is directly configurable over SSH. */
@ChildEntity('host')
export class Host extends Device {}

export class HostView extends DeviceView {}

class CreateHost extends CreateDevice {}

class UpdateHost extends UpdateDevice {}

export const host = deviceKind({
  kind: 'host',
  entity: Host,
  view: HostView,
  create: CreateHost,
  update: UpdateHost,
  fields: {},
});
