import { READ, write } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { clouds, CloudView } from './cloud';
import { CreateCloud, UpdateCloud } from './cloud.dto';
import { CloudsService } from './clouds.service';

export const CloudsController = resourceController({
  collection: {
    definition: clouds,
    view: CloudView,
    reads: READ,
    writes: write('clouds'),
    hasShortMembers: true,
  },
  create: CreateCloud,
  update: UpdateCloud,
  service: CloudsService,
});
