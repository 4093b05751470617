import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { AuditActionsController } from './audits/audit-actions.controller';
import { AuditRunService } from './audits/audit-run.service';
import { AuditsController } from './audits/audits.controller';
import { AuditsService } from './audits/audits.service';
import { ExpectedValues } from './audits/expected-values';
import { AuditRunLimiter } from './audits/audit-run-limiter';
import { RemediationService } from './audits/remediation.service';
import { DefinitionRule } from './definitions/definition-policy';
import { VariableDefinitionsController } from './definitions/variable-definitions.controller';
import { VariableDefinitionsService } from './definitions/variable-definitions.service';
import { ViolationsController } from './definitions/violations.controller';
import { ViolationsService } from './definitions/violations.service';
import { JsonSchemas } from './schemas/schema-validation';

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
    JsonSchemas,
    DefinitionRule,
    VariableDefinitionsService,
    ViolationsService,
    AuditsService,
    AuditRunService,
    AuditRunLimiter,
    RemediationService,
    ExpectedValues,
  ],
})
export class GovernanceModule {}
