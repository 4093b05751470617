import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Changes } from './changes.service';
import { Impacts } from './impact-assessor';
import { StoredAnswers } from './stored-answers';
import { WriteRules } from './write-rules';

@Module({
  imports: [AuthModule],
  providers: [Changes, Impacts, StoredAnswers, WriteRules],
  exports: [Changes, Impacts, WriteRules],
})
export class ChangesModule {}
