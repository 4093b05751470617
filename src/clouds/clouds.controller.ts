import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { clouds, CloudView } from './cloud.entity';
import { CreateCloud, UpdateCloud } from './cloud.dto';
import { CloudsService } from './clouds.service';

@ApiTags('clouds')
@Controller('v1/clouds')
export class CloudsController extends ResourceController({
  definition: clouds,
  view: CloudView,
  create: CreateCloud,
  update: UpdateCloud,
  reads: READ,
  writes: write('clouds'),
  hasShortMembers: true,
}) {
  constructor(protected readonly resources: CloudsService) {
    super();
  }
}
