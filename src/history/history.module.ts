import { Module } from '@nestjs/common';
import { accessSecretShape } from '../access-secrets/access-secret';
import { projectShape } from '../accounts/project';
import { userShape } from '../accounts/user';
import { ADMIN, READ_HISTORY, ROOT } from '../auth/access';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { cellShape } from '../cells/cell';
import { cloudShape } from '../clouds/cloud';
import { deviceKinds } from '../devices/device-kinds';
import { auditShape } from '../governance/audits/audit';
import { variableDefinitionShape } from '../governance/definitions/variable-definition';
import { labelShape } from '../labels/label';
import { regionShape } from '../regions/region';
import { ResourcesModule } from '../resources/resources.module';
import { ChangeObjectsController, ChangesController, resourceChangesController } from './changes.controller';
import { ChangeCountsService } from './change-counts.service';
import { ChangeObjectsService } from './change-objects.service';
import { FeedController } from './feed/feed.controller';
import { FeedService } from './feed/feed.service';
import { FeedNotifier } from './feed/feed-watch';
import { PastImpactController } from './past-impact/past-impact.controller';
import { PastImpactService } from './past-impact/past-impact.service';
import { RevertController } from './revert/revert.controller';
import { RevertService } from './revert/revert.service';

/** The resources whose history every user of the project can read. */
const readableShapes = [
  cloudShape,
  regionShape,
  cellShape,
  labelShape,
  userShape,
  ...deviceKinds.map((kind) => kind.shape),
  variableDefinitionShape,
  auditShape,
];

@Module({
  imports: [AuthCachesModule, ResourcesModule],
  controllers: [
    // Before ChangesController, whose route /v1/changes/:id would match /v1/changes/feed.
    FeedController,
    ChangesController,
    ChangeObjectsController,
    RevertController,
    PastImpactController,
    resourceChangesController(projectShape, ROOT),
    resourceChangesController(accessSecretShape, ADMIN),
    ...readableShapes.map((shape) => resourceChangesController(shape, READ_HISTORY)),
  ],
  providers: [
    ChangeCountsService,
    ChangeObjectsService,
    RevertService,
    FeedService,
    FeedNotifier,
    PastImpactService,
  ],
})
export class HistoryModule {}
