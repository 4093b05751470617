import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { BatchController } from './batch.controller';
import { BatchService } from './batch.service';

/** Several writes in one change. */
@Module({
  imports: [ChangesModule],
  controllers: [BatchController],
  providers: [BatchService],
  exports: [BatchService],
})
export class BatchModule {}
