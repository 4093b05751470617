import { CreateBody, PartialBody } from '../../resources/members';
import { VariableDefinition } from './variable-definition.entity';

export class CreateVariableDefinition extends CreateBody(VariableDefinition) {}

export class UpdateVariableDefinition extends PartialBody(CreateVariableDefinition) {}
