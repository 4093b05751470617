import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth-caches.module';
import { Changes } from './changes.service';
import { Impacts } from './impact-assessor';
import { StoredAnswers } from './idempotency-store';
import { WriteRules } from './write-policies';

@Module({
  imports: [AuthModule],
  providers: [Changes, Impacts, StoredAnswers, WriteRules],
  exports: [Changes, Impacts, WriteRules],
})
export class ChangesModule {}
