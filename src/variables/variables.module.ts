import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { Explainer } from './explainer';
import { VariableFilters } from './filter/variable-filters';
import { LevelCache } from './level-cache';
import { VariableResolver } from './variable-resolver';
import { SingleVariableService } from './single-variable.service';
import { VariablesService } from './variables.service';

@Module({
  imports: [ChangesModule],
  providers: [
    LevelCache,
    VariableResolver,
    Explainer,
    VariableFilters,
    VariablesService,
    SingleVariableService,
  ],
  exports: [
    ChangesModule,
    VariableResolver,
    Explainer,
    VariableFilters,
    VariablesService,
    SingleVariableService,
  ],
})
export class VariablesModule {}
