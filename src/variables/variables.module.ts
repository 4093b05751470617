import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { VariableFilters } from './filter/variable-filters';
import { Presenter } from './presenter';
import { ResourceReader } from './resource-reader';
import { VariableResolver } from './variable-resolver';
import { VariablesService } from './variables.service';

@Module({
  imports: [ChangesModule],
  providers: [VariableResolver, VariableFilters, Presenter, ResourceReader, VariablesService],
  exports: [ChangesModule, VariableResolver, Presenter, ResourceReader, VariablesService],
})
export class VariablesModule {}
