import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { BatchModule } from '../batch/batch.module';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { ApplyService } from './apply.service';
import { CommentsService } from './comments.service';
import { PreviewService } from './preview.service';
import { ProposalAssessor } from './proposal-assessor';
import { ProposalCommentsController } from './proposal-comments.controller';
import { ProposalActionsController } from './proposal-actions.controller';
import { ProposalLocks } from './proposal-locks';
import { ProposalQuota } from './proposal-quota';
import { ProposalReader } from './proposal-reader';
import { ProposalsController } from './proposals.controller';
import { ProposalsService } from './proposals.service';
import { ReviewService } from './review.service';

/** Writes that wait for approval. */
@Module({
  imports: [AuthCachesModule, BatchModule, ChangesModule, ResourcesModule],
  controllers: [ProposalsController, ProposalCommentsController, ProposalActionsController],
  providers: [
    ApplyService,
    CommentsService,
    PreviewService,
    ProposalAssessor,
    ProposalLocks,
    ProposalQuota,
    ProposalReader,
    ProposalsService,
    ReviewService,
  ],
  exports: [ProposalsService],
})
export class ProposalsModule {}
