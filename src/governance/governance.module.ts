import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { AuditActionsController, AuditsController } from './audits/audits.controller';
import { AuditRunService } from './audits/audit-run.service';
import { AuditsService } from './audits/audits.service';
import { ExpectationValidator } from './audits/expectation';
import { RemediationService } from './audits/remediation.service';
import { DefinitionPolicy } from './definitions/definition-policy';
import {
  VariableDefinitionsController,
  ViolationsController,
} from './definitions/variable-definitions.controller';
import { VariableDefinitionsService } from './definitions/variable-definitions.service';
import { ViolationsService } from './definitions/violations.service';
import { JsonSchemaValidator } from './schemas/schema-validation';

/** Rules for the values of variables: definitions reject invalid values on write, audits find devices that fail. */
@Module({
  imports: [ResourcesModule],
  controllers: [
    VariableDefinitionsController,
    ViolationsController,
    AuditsController,
    AuditActionsController,
  ],
  providers: [
    JsonSchemaValidator,
    DefinitionPolicy,
    VariableDefinitionsService,
    ViolationsService,
    AuditsService,
    AuditRunService,
    RemediationService,
    ExpectationValidator,
  ],
})
export class GovernanceModule {}
