import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { DefinitionRule } from './definitions/definition-rule';
import { VariableDefinitionsController } from './definitions/variable-definitions.controller';
import { VariableDefinitionsService } from './definitions/variable-definitions.service';
import { ViolationsController } from './definitions/violations.controller';
import { ViolationsService } from './definitions/violations.service';
import { JsonSchemas } from './schemas/json-schemas';

/** What values have to be: definitions, which refuse others, and audits, which find them. */
@Module({
  imports: [ResourcesModule],
  controllers: [VariableDefinitionsController, ViolationsController],
  providers: [JsonSchemas, DefinitionRule, VariableDefinitionsService, ViolationsService],
})
export class GovernanceModule {}
