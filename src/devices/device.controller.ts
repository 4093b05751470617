import { Inject } from '@nestjs/common';
import { READ, write, writeVariables } from '../auth/access';
import { ResourceController, type ResourceService } from '../resources/resource.controller';
import type { CreateDevice, UpdateDevice } from './device.dto';
import type { DeviceKind } from './device-kind';
import { DevicesService } from './devices.service';

/** The base class of the controller of a kind of device. */
export function DeviceController(kind: DeviceKind) {
  const { definition, mapping, view, create, update } = kind;
  const { collection } = mapping;

  abstract class DeviceRoutes extends ResourceController({
    definition,
    view,
    create,
    update,
    reads: READ,
    writes: write(collection),
    updates: writeVariables(collection),
    conflict: 'The name is in use, or the address if the project requires unique addresses.',
  }) {
    @Inject() private readonly devices!: DevicesService;

    protected readonly resources: ResourceService<CreateDevice, UpdateDevice> = {
      prepareCreate: (ctx, body) => this.devices.prepareCreate(ctx, kind, body),
      prepareUpdate: (ctx, id, body, ifMatch) => this.devices.prepareUpdate(ctx, kind, id, body, ifMatch),
      prepareDelete: (_ctx, id, ifMatch) => this.devices.prepareDelete(kind, id, ifMatch),
    };
  }
  return DeviceRoutes;
}
