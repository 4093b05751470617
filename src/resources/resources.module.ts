import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { Creations } from './creation';
import { Presenter } from './presenter';
import { ResourceReader } from './resource-reader';
import { Selections } from './selections';
import { VariableSets } from './variable-sets.service';
import { WrittenResources } from './written';

/** What every resource is read, shown and routed with. */
@Module({
  imports: [VariablesModule],
  providers: [Creations, Presenter, ResourceReader, Selections, VariableSets, WrittenResources],
  exports: [
    VariablesModule,
    Creations,
    Presenter,
    ResourceReader,
    Selections,
    VariableSets,
    WrittenResources,
  ],
})
export class ResourcesModule {}
