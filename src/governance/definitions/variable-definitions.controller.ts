import { ADMIN, READ } from '../../auth/access';
import { resourceController } from '../../resources/resource.controller';
import { variableDefinitions, VariableDefinitionView } from './variable-definition';
import { CreateVariableDefinition, UpdateVariableDefinition } from './variable-definition.dto';
import { VariableDefinitionsService } from './variable-definitions.service';

/** Everybody may know what values have to keep; what they have to keep is for admins to say. */
export const VariableDefinitionsController = resourceController({
  collection: { listing: variableDefinitions, view: VariableDefinitionView, reads: READ, writes: ADMIN },
  create: CreateVariableDefinition,
  update: UpdateVariableDefinition,
  service: VariableDefinitionsService,
});
