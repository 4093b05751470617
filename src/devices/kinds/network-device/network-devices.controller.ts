import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ExplanationsController } from '../../../resources/variables/explanations.controller';
import { ManyVariablesController } from '../../../resources/variables/many-variables.controller';
import { VariableController } from '../../../resources/variables/variable.controller';
import { VariablesController } from '../../../resources/variables/variables.controller';
import { DeviceController } from '../../device.controller';
import { DeviceLabelsController } from '../../device-labels.controller';
import { networkDevice } from './network-device.entity';

@ApiTags('network-devices')
@Controller('v1/network-devices')
export class NetworkDevicesController extends DeviceController(networkDevice) {}

@Controller('v1/network-devices/variables')
export class ManyNetworkDevicesVariablesController extends ManyVariablesController(
  networkDevice.definition,
) {}

@Controller('v1/network-devices/:id/labels')
export class NetworkDeviceLabelsController extends DeviceLabelsController(networkDevice) {}

@Controller('v1/network-devices/:id/variables')
export class NetworkDeviceVariablesController extends VariablesController(networkDevice) {}

@Controller('v1/network-devices/:id/variables/explain')
export class NetworkDeviceExplanationsController extends ExplanationsController(networkDevice.definition) {}

@Controller('v1/network-devices/:id/variables/:key')
export class NetworkDeviceVariableController extends VariableController(networkDevice) {}
