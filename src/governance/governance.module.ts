import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import { AuditActionsController } from './audits/audit-actions.controller';
import { AuditsController } from './audits/audits.controller';
import { PastRunsService } from './audits/past-runs.service';
import { PastRunsController } from './audits/past-runs.controller';
import { AuditRunService } from './audits/audit-run.service';
import { AuditsService } from './audits/audits.service';
import { ExpectationValidator } from './audits/expectation';
import { RemediationService } from './audits/remediation.service';
import { DefinitionPolicy } from './definitions/definition-policy';
import { VariableDefinitionsController } from './definitions/variable-definitions.controller';
import { VariableDefinitionsService } from './definitions/variable-definitions.service';
import { ViolationsController } from './definitions/violations.controller';
import { ViolationsService } from './definitions/violations.service';
import { JsonSchemaValidator } from './schemas/schema-validation';

/** Rules for the values of variables: definitions reject invalid values on write, audits find devices that fail. */
@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule],
  controllers: [
    VariableDefinitionsController,
    ViolationsController,
    AuditsController,
    AuditActionsController,
    PastRunsController,
  ],
  providers: [
    JsonSchemaValidator,
    DefinitionPolicy,
    VariableDefinitionsService,
    ViolationsService,
    AuditsService,
    AuditRunService,
    PastRunsService,
    RemediationService,
    ExpectationValidator,
  ],
  exports: [DefinitionPolicy],
})
export class GovernanceModule {}
