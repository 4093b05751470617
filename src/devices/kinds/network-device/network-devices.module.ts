import { Module } from '@nestjs/common';
import { DevicesModule } from '../../devices.module';
import {
  ManyNetworkDevicesVariablesController,
  NetworkDeviceExplanationsController,
  NetworkDeviceLabelsController,
  NetworkDevicesController,
  NetworkDeviceVariableController,
  NetworkDeviceVariablesController,
} from './network-devices.controller';

@Module({
  imports: [DevicesModule],
  // In this order: Express takes the first route that matches, and `:id` and `:key` match every name.
  controllers: [
    ManyNetworkDevicesVariablesController,
    NetworkDevicesController,
    NetworkDeviceLabelsController,
    NetworkDeviceVariablesController,
    NetworkDeviceExplanationsController,
    NetworkDeviceVariableController,
  ],
})
export class NetworkDevicesModule {}
