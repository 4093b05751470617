import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ImpactRegistry, WritePolicies } from '../changes/change-hooks';
import { ChangesService } from '../changes/changes.service';
import { IdempotencyStore } from '../changes/idempotency-store';
import { Explainer } from '../variables/explainer';
import { VariableFilters } from '../variables/filter/variable-filters';
import { LevelCache } from '../variables/level-cache';
import { SingleVariableService } from '../variables/single-variable.service';
import { VariableResolver } from '../variables/variable-resolver';
import { VariablesService } from '../variables/variables.service';
import { ListFilterCompiler } from './list-filter-compiler';
import { ResourceReader } from './resource-reader';
import { ResourceSerializer, WriteResponses } from './resource-serializer';

const providers = [
  ChangesService,
  ImpactRegistry,
  WritePolicies,
  Explainer,
  VariableFilters,
  VariableResolver,
  VariablesService,
  SingleVariableService,
  ListFilterCompiler,
  ResourceReader,
  ResourceSerializer,
  WriteResponses,
];

/** The providers that read, create, change and serialize resources of all kinds, with their variables. */
@Module({
  imports: [AuthCachesModule],
  providers: [...providers, IdempotencyStore, LevelCache],
  exports: providers,
})
export class ResourcesModule {}
