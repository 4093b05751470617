import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { Explainer } from './explainer';
import { VariableFilterCompiler } from './filter/variable-filter-compiler';
import { LevelCache } from './level-cache';
import { SingleVariableService } from './single-variable.service';
import { VariableResolver } from './variable-resolver';
import { VariablesService } from './variables.service';

const providers = [
  VariableResolver,
  Explainer,
  VariableFilterCompiler,
  VariablesService,
  SingleVariableService,
];

/** The variables of resources: resolved, explained, filtered and written. */
@Module({
  imports: [ChangesModule],
  providers: [...providers, LevelCache],
  exports: providers,
})
export class VariablesModule {}
