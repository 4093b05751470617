import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { CloudsService } from './clouds.service';
import { READ, write } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { clouds, CloudView, CreateCloud, UpdateCloud } from './cloud';

const CloudsController = resourceController({
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

@Module({ imports: [ResourcesModule], controllers: [CloudsController], providers: [CloudsService] })
export class CloudsModule {}
