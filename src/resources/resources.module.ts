import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { VariablesModule } from '../variables/variables.module';
import { ListFilterCompiler } from './list-filter-compiler';
import { ResourceReader } from './resource-reader';
import { ResourceSerializer } from './resource-serializer';
import { VariableSetsService } from './variables/variable-sets.service';
import { WriteResponses } from './write-responses';

const providers = [
  ListFilterCompiler,
  ResourceReader,
  ResourceSerializer,
  VariableSetsService,
  WriteResponses,
];

/** What the modules of all collections share: creating, listing, reading and serializing resources. */
@Module({
  imports: [ChangesModule, VariablesModule],
  providers,
  exports: providers,
})
export class ResourcesModule {}
