import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { LabelsModule } from '../labels/labels.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import { AllDevicesController } from './all-devices.controller';
import { AllDevicesService } from './all-devices.service';
import { CellMoverService } from './cell-mover.service';
import { assertAllKindsListed } from './device-kinds';
import { DeviceLabelsService } from './device-labels.service';
import { DevicesService } from './devices.service';
import { UniqueAddressPolicy } from './unique-address-policy';

/** What all kinds of devices share. The module of each kind imports it. */
@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule, LabelsModule],
  controllers: [AllDevicesController],
  providers: [DevicesService, DeviceLabelsService, AllDevicesService, CellMoverService, UniqueAddressPolicy],
  // With the modules that the controllers of a kind use.
  exports: [
    DevicesService,
    DeviceLabelsService,
    CellMoverService,
    UniqueAddressPolicy,
    ChangesModule,
    ResourcesModule,
    VariablesModule,
  ],
})
export class DevicesModule {
  constructor() {
    assertAllKindsListed();
  }
}
