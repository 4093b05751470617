import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { CreationService } from './creation.service';
import { ResourceSerializer } from './resource-serializer';
import { ResourceReader } from './resource-reader';
import { ListFilterCompiler } from './list-filter-compiler';
import { WriteResponses } from './write-responses';

/** The providers that read, create and serialize resources of all kinds. */
@Module({
  imports: [VariablesModule],
  providers: [CreationService, ResourceSerializer, ResourceReader, ListFilterCompiler, WriteResponses],
  exports: [
    VariablesModule,
    CreationService,
    ResourceSerializer,
    ResourceReader,
    ListFilterCompiler,
    WriteResponses,
  ],
})
export class ResourcesModule {}
