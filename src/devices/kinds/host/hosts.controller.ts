import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ExplanationsController } from '../../../resources/variables/explanations.controller';
import { ManyVariablesController } from '../../../resources/variables/many-variables.controller';
import { VariableController } from '../../../resources/variables/variable.controller';
import { VariablesController } from '../../../resources/variables/variables.controller';
import { DeviceController } from '../../device.controller';
import { DeviceLabelsController } from '../../device-labels.controller';
import { host } from './host.entity';

@ApiTags('hosts')
@Controller('v1/hosts')
export class HostsController extends DeviceController(host) {}

@Controller('v1/hosts/variables')
export class ManyHostsVariablesController extends ManyVariablesController(host.definition) {}

@Controller('v1/hosts/:id/labels')
export class HostLabelsController extends DeviceLabelsController(host) {}

@Controller('v1/hosts/:id/variables')
export class HostVariablesController extends VariablesController(host) {}

@Controller('v1/hosts/:id/variables/explain')
export class HostExplanationsController extends ExplanationsController(host.definition) {}

@Controller('v1/hosts/:id/variables/:key')
export class HostVariableController extends VariableController(host) {}
