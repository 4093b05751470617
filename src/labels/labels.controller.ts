import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write, writeVariables } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { ManyVariablesController } from '../resources/variables/many-variables.controller';
import { VariableController } from '../resources/variables/variable.controller';
import { VariablesController } from '../resources/variables/variables.controller';
import { Label, labels, LabelView } from './label.entity';
import { CreateLabel, UpdateLabel } from './label.dto';
import { LabelsService } from './labels.service';

const owner = { definition: labels, entity: Label };

@ApiTags('labels')
@Controller('v1/labels')
export class LabelsController extends ResourceController({
  definition: labels,
  view: LabelView,
  create: CreateLabel,
  update: UpdateLabel,
  reads: READ,
  writes: write('labels'),
  updates: writeVariables('labels'),
}) {
  constructor(protected readonly resources: LabelsService) {
    super();
  }
}

@Controller('v1/labels/variables')
export class ManyLabelsVariablesController extends ManyVariablesController(labels) {}

@Controller('v1/labels/:id/variables')
export class LabelVariablesController extends VariablesController(owner) {}

@Controller('v1/labels/:id/variables/:key')
export class LabelVariableController extends VariableController(owner) {}
