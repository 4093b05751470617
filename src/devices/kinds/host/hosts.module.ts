import { Module } from '@nestjs/common';
import { DevicesModule } from '../../devices.module';
import {
  HostExplanationsController,
  HostLabelsController,
  HostsController,
  HostVariableController,
  HostVariablesController,
  ManyHostsVariablesController,
} from './hosts.controller';

@Module({
  imports: [DevicesModule],
  // In this order: Express takes the first route that matches, and `:id` and `:key` match every name.
  controllers: [
    ManyHostsVariablesController,
    HostsController,
    HostLabelsController,
    HostVariablesController,
    HostExplanationsController,
    HostVariableController,
  ],
})
export class HostsModule {}
