import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { VariableFilters } from './filter/variable-filters';
import { VariableResolver } from './variable-resolver';
import { VariablesService } from './variables.service';

@Module({
  imports: [ChangesModule],
  providers: [VariableResolver, VariableFilters, VariablesService],
  exports: [ChangesModule, VariableResolver, VariableFilters, VariablesService],
})
export class VariablesModule {}
