import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { RegionsModule } from '../regions/regions.module';
import { variablesController } from '../variables/variables.controller';
import { VariablesModule } from '../variables/variables.module';
import { AllDevicesController } from './all-devices.controller';
import { AllDevicesService } from './all-devices.service';
import { CellMoverService } from './cell-mover.service';
import { deviceKinds } from './device-kinds';
import { deviceLabelsController } from './device-labels.controller';
import { DeviceLabelsService } from './device-labels.service';
import { deviceController } from './device-routes.controller';
import { DevicesService } from './devices.service';

@Module({
  imports: [VariablesModule, LabelsModule, RegionsModule],
  controllers: [
    AllDevicesController,
    ...deviceKinds.flatMap((kind) => [
      deviceController(kind),
      deviceLabelsController(kind),
      variablesController({ listing: kind.listing, entity: kind.entity }),
    ]),
  ],
  providers: [DevicesService, DeviceLabelsService, AllDevicesService, CellMoverService],
})
export class DevicesModule {}
