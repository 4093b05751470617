import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ChangesService } from './changes.service';
import { ImpactRegistry, WritePolicies } from './change-hooks';
import { IdempotencyStore } from './idempotency-store';

@Module({
  imports: [AuthCachesModule],
  providers: [ChangesService, ImpactRegistry, IdempotencyStore, WritePolicies],
  exports: [ChangesService, ImpactRegistry, WritePolicies],
})
export class ChangesModule {}
