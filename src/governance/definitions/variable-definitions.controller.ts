import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ADMIN, READ } from '../../auth/access';
import { ResourceController } from '../../resources/resource.controller';
import { variableDefinitions, VariableDefinitionView } from './variable-definition.entity';
import { CreateVariableDefinition, UpdateVariableDefinition } from './variable-definition.dto';
import { VariableDefinitionsService } from './variable-definitions.service';

/** Every user of the project can read the definitions. Only admins can write them. */
@ApiTags('variable-definitions')
@Controller('v1/variable-definitions')
export class VariableDefinitionsController extends ResourceController({
  definition: variableDefinitions,
  view: VariableDefinitionView,
  create: CreateVariableDefinition,
  update: UpdateVariableDefinition,
  reads: READ,
  writes: ADMIN,
}) {
  constructor(protected readonly resources: VariableDefinitionsService) {
    super();
  }
}
