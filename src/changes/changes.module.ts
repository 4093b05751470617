import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Changes } from './changes.service';
import { Impacts } from './impact-assessor';
import { WriteRules } from './write-rules';

@Module({
  imports: [AuthModule],
  providers: [Changes, Impacts, WriteRules],
  exports: [Changes, Impacts, WriteRules],
})
export class ChangesModule {}
