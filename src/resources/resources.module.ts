import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { Creations } from './resource-creation';
import { Presenter } from './resource-serializer';
import { ResourceReader } from './resource-reader';
import { Selections } from './list-filter-compiler';
import { WrittenResources } from './write-responses';

/** What every resource is read, shown and routed with. */
@Module({
  imports: [VariablesModule],
  providers: [Creations, Presenter, ResourceReader, Selections, WrittenResources],
  exports: [VariablesModule, Creations, Presenter, ResourceReader, Selections, WrittenResources],
})
export class ResourcesModule {}
