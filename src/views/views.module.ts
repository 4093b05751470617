import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { ViewsController } from './views.controller';
import { ViewsService } from './views.service';

/** Views of the explorer that users of a project share. */
@Module({
  imports: [ChangesModule, ResourcesModule],
  controllers: [ViewsController],
  providers: [ViewsService],
})
export class ViewsModule {}
