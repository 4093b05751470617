import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { CloudsController } from './clouds.controller';
import { CloudsService } from './clouds.service';

@Module({
  imports: [ChangesModule, ResourcesModule],
  controllers: [CloudsController],
  providers: [CloudsService],
})
export class CloudsModule {}
