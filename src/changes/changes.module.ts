import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ChangesService } from './changes.service';
import { IdempotencyStore } from './idempotency-store';

/** Executes writes. Needs an `IMPACT_ASSESSOR` and `WRITE_POLICIES`, which the application provides. */
@Module({
  imports: [AuthCachesModule],
  providers: [ChangesService, IdempotencyStore],
  exports: [ChangesService],
})
export class ChangesModule {}
