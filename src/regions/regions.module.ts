import { Module, Controller } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import {
  variableSetsController,
  VariableSetsModule,
} from '../variables/controllers/variable-sets.controller';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { CellMoverRegistry, RegionsService } from './regions.service';
import { Region, regions, RegionView, CreateRegion, UpdateRegion } from './region';
import { ApiTags } from '@nestjs/swagger';
import { READ, write, writeVariables, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ValidBodies, type OneOrMany } from '../http/body-validation';
import { ChangesService } from '../changes/changes.service';
import { CreateRoute, type Collection } from '../resources/resource-routes';
import { createResources, resourceController } from '../resources/resource.controller';

const collection: Collection = {
  definition: regions,
  view: RegionView,
  reads: READ,
  writes: write('regions'),
};

const RegionsController = resourceController({
  collection,
  create: CreateRegion,
  update: UpdateRegion,
  updates: writeVariables('regions'),
  service: RegionsService,
});

/** An alias of `POST /v1/regions`: the reference API also documents the singular path. */
@ApiTags('regions')
@Controller('v1/region')
class RegionController {
  constructor(
    private readonly regions: RegionsService,
    private readonly changes: ChangesService,
  ) {}

  @CreateRoute(collection, CreateRegion)
  async create(@Ctx() ctx: RequestContext, @ValidBodies(CreateRegion) body: OneOrMany<CreateRegion>) {
    return createResources(ctx, body, this.changes, this.regions);
  }
}

@Module({
  imports: [ResourcesModule, VariableSetsModule, LabelsModule],
  controllers: [
    variableSetsController(regions),
    RegionsController,
    RegionController,
    variablesController({ definition: regions, entity: Region }),
    singleVariableController({ definition: regions, entity: Region }),
  ],
  providers: [RegionsService, CellMoverRegistry],
  exports: [CellMoverRegistry],
})
export class RegionsModule {}
