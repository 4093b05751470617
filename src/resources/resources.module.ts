import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { Creations } from './creation';
import { Presenter } from './presenter';
import { ResourceReader } from './resource-reader';

/** What every resource is read, shown and routed with. */
@Module({
  imports: [VariablesModule],
  providers: [Creations, Presenter, ResourceReader],
  exports: [VariablesModule, Creations, Presenter, ResourceReader],
})
export class ResourcesModule {}
