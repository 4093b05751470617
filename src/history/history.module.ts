import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import { ChangeCountsService } from './change-counts.service';
import { ChangeObjectsController } from './change-objects.controller';
import { ChangeObjectsService } from './change-objects.service';
import { ChangesController } from './changes.controller';
import { FeedController } from './feed/feed.controller';
import { FeedService } from './feed/feed.service';
import { FeedNotifier } from './feed/feed-notifier';
import { NetImpactController } from './past-impact/net-impact.controller';
import { NetImpactService } from './past-impact/net-impact.service';
import { PastImpactController } from './past-impact/past-impact.controller';
import { PastImpactService } from './past-impact/past-impact.service';
import { resolvedChangesControllers } from './resolved-changes/resolved-changes.controller';
import { ResolvedChangesService } from './resolved-changes/resolved-changes.service';
import { resourceChangesControllers } from './resource-changes.controller';
import { RevertController } from './revert/revert.controller';
import { RevertService } from './revert/revert.service';

/** Change records: lists, the feed, their impact, and reverts. */
@Module({
  imports: [AuthCachesModule, ChangesModule, VariablesModule, ResourcesModule],
  controllers: [
    // Before ChangesController, whose route /v1/changes/:id would match /v1/changes/feed and /v1/changes/impact.
    FeedController,
    NetImpactController,
    ChangesController,
    ChangeObjectsController,
    RevertController,
    PastImpactController,
    ...resolvedChangesControllers,
    ...resourceChangesControllers,
  ],
  providers: [
    ChangeCountsService,
    ChangeObjectsService,
    RevertService,
    FeedService,
    FeedNotifier,
    PastImpactService,
    NetImpactService,
    ResolvedChangesService,
  ],
})
export class HistoryModule {}
