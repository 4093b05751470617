import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { Explainer } from './explainer';
import { VariableFilters } from './filter/variable-filters';
import { VariableResolver } from './variable-resolver';
import { VariableService } from './variable.service';
import { VariablesService } from './variables.service';

@Module({
  imports: [ChangesModule],
  providers: [VariableResolver, Explainer, VariableFilters, VariablesService, VariableService],
  exports: [ChangesModule, VariableResolver, Explainer, VariableFilters, VariablesService, VariableService],
})
export class VariablesModule {}
