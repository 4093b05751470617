import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, READ, write, writeVariables } from '../auth/access';
import type { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { ValidBodies, type OneOrMany } from '../http/body-validation';
import { Deprecated } from '../http/deprecation';
import { prepareCreation, ResourceController } from '../resources/resource.controller';
import { CreateRoute } from '../resources/resource-routes';
import { ManyVariablesController } from '../resources/variables/many-variables.controller';
import { VariableController } from '../resources/variables/variable.controller';
import { VariablesController } from '../resources/variables/variables.controller';
import { Region, regions, RegionView } from './region.entity';
import { CreateRegion, UpdateRegion } from './region.dto';
import { RegionsService } from './regions.service';

const options = {
  definition: regions,
  view: RegionView,
  create: CreateRegion,
  update: UpdateRegion,
  reads: READ,
  writes: write('regions'),
  updates: writeVariables('regions'),
};
const owner = { definition: regions, entity: Region };

@ApiTags('regions')
@Controller('v1/regions')
export class RegionsController extends ResourceController(options) {
  constructor(protected readonly resources: RegionsService) {
    super();
  }
}

/** An alias of `POST /v1/regions`: the reference API also documents the singular path. */
@ApiTags('regions')
@Controller('v1/region')
export class RegionController {
  constructor(private readonly regions: RegionsService) {}

  @Deprecated({
    since: new Date('2026-12-01T00:00:00Z'),
    sunset: new Date('2028-12-01T00:00:00Z'),
    successor: '/v1/regions',
  })
  @CreateRoute({ ...options, isDeprecated: true }, CreateRegion)
  create(
    @Ctx() ctx: RequestContext,
    @ValidBodies(CreateRegion) body: OneOrMany<CreateRegion>,
  ): PreparedWrite {
    return prepareCreation(ctx, body, regions.mapping, this.regions);
  }
}

@Controller('v1/regions/variables')
export class ManyRegionsVariablesController extends ManyVariablesController(regions) {}

@Controller('v1/regions/:id/variables')
export class RegionVariablesController extends VariablesController(owner) {}

@Controller('v1/regions/:id/variables/:key')
export class RegionVariableController extends VariableController(owner) {}
