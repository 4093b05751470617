import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ChangesService } from './changes.service';
import { ImpactRegistry } from './impact-registry';
import { IdempotencyStore } from './idempotency-store';
import { WritePolicies } from './write-policies';

@Module({
  imports: [AuthCachesModule],
  providers: [ChangesService, ImpactRegistry, IdempotencyStore, WritePolicies],
  exports: [ChangesService, ImpactRegistry, WritePolicies],
})
export class ChangesModule {}
