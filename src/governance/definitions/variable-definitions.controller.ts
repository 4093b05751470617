import { ADMIN, READ } from '../../auth/access';
import { resourceController } from '../../resources/resource.controller';
import {
  CreateVariableDefinition,
  UpdateVariableDefinition,
  variableDefinitions,
  VariableDefinitionView,
} from './variable-definition';
import { VariableDefinitionsService } from './variable-definitions.service';

/** Every user of the project can read the definitions. Only admins can write them. */
export const VariableDefinitionsController = resourceController({
  collection: { definition: variableDefinitions, view: VariableDefinitionView, reads: READ, writes: ADMIN },
  create: CreateVariableDefinition,
  update: UpdateVariableDefinition,
  service: VariableDefinitionsService,
});
