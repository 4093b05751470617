import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { OwnViewsController } from './own-views.controller';
import { OwnViewsService } from './own-views.service';
import { ViewsController } from './views.controller';
import { ViewsService } from './views.service';

/** Views of the explorer: those that the users of a project share, and those that users save for themselves. */
@Module({
  imports: [ChangesModule, ResourcesModule],
  controllers: [ViewsController, OwnViewsController],
  providers: [ViewsService, OwnViewsService],
})
export class ViewsModule {}
