import { Module, type Provider, type Type } from '@nestjs/common';
import { READ, write, writeVariables } from '../auth/access';
import { LabelsModule } from '../labels/labels.module';
import { RegionsModule } from '../regions/regions.module';
import { explanationsController } from '../variables/controllers/explanations.controller';
import { resourceController } from '../resources/resource.controller';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import {
  variableSetsController,
  VariableSetsModule,
} from '../variables/controllers/variable-sets.controller';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { AllDevicesController } from './all-devices.controller';
import { AllDevicesService } from './all-devices.service';
import type { DeviceKind } from './device-kind';
import { deviceKinds } from './device-kinds';
import { deviceLabelsController } from './device-labels.controller';
import { DeviceLabelsService } from './device-labels.service';
import { DevicesService, CellMoverService } from './devices.service';
import { UniqueAddressPolicy } from './duplicate-addresses';

/** The routes of a kind of device, and the service that they call. */
function partsOf(kind: DeviceKind): { controllers: Type[]; provider: Provider } {
  const { definition, view, shape, create, update, entity } = kind;
  const service = Symbol(shape.collection);
  return {
    controllers: [
      variableSetsController(definition),
      resourceController({
        collection: {
          definition,
          view,
          reads: READ,
          writes: write(shape.collection),
          conflict: 'The name is in use, or the address if the project requires unique addresses.',
          warning: 'Other devices of the project have the same address.',
        },
        create,
        update,
        updates: writeVariables(shape.collection),
        service,
      }),
      deviceLabelsController(kind),
      variablesController({ definition, entity }),
      explanationsController(definition),
      singleVariableController({ definition, entity }),
    ],
    provider: {
      provide: service,
      inject: [DevicesService],
      useFactory: (devices: DevicesService) => devices.of(kind),
    },
  };
}

const kinds = deviceKinds.map(partsOf);

@Module({
  imports: [ResourcesModule, VariableSetsModule, LabelsModule, RegionsModule],
  controllers: [AllDevicesController, ...kinds.flatMap((kind) => kind.controllers)],
  providers: [
    DevicesService,
    DeviceLabelsService,
    AllDevicesService,
    CellMoverService,
    UniqueAddressPolicy,
    ...kinds.map((kind) => kind.provider),
  ],
})
export class DevicesModule {}
