import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { Presenter } from './presenter';
import { ResourceReader } from './resource-reader';

/** What every resource is read, shown and routed with. */
@Module({
  imports: [VariablesModule],
  providers: [Presenter, ResourceReader],
  exports: [VariablesModule, Presenter, ResourceReader],
})
export class ResourcesModule {}
