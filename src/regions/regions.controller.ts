import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write, writeVariables } from '../auth/access';
import { Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../core/context/request-context';
import { ValidBodies, type OneOrMany } from '../http/body-validation';
import { CreationService } from '../resources/creation.service';
import { CreateRoute, type Collection } from '../resources/resource-routes';
import { createResources, resourceController } from '../resources/resource.controller';
import { regions, RegionView } from './region';
import { CreateRegion, UpdateRegion } from './region.dto';
import { RegionsService } from './regions.service';

const collection: Collection = {
  definition: regions,
  view: RegionView,
  reads: READ,
  writes: write('regions'),
};

export const RegionsController = resourceController({
  collection,
  create: CreateRegion,
  update: UpdateRegion,
  updates: writeVariables('regions'),
  service: RegionsService,
});

/** An alias of `POST /v1/regions`: the reference API also documents the singular path. */
@ApiTags('regions')
@Controller('v1/region')
export class RegionController {
  constructor(
    private readonly regions: RegionsService,
    private readonly creations: CreationService,
  ) {}

  @CreateRoute(collection, CreateRegion)
  async create(@Ctx() ctx: RequestContext, @ValidBodies(CreateRegion) body: OneOrMany<CreateRegion>) {
    return createResources(ctx, body, this.creations, this.regions);
  }
}
