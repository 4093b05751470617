import { Global, Module } from '@nestjs/common';
import { AppMetrics } from '../core/app-metrics';
import { Database } from './database';
import { DatabaseWatchdog } from './health/database-watchdog';
import { OptionalIndexes } from './optional-indexes';
import { Replicas } from './replication/replicas';

@Global()
@Module({
  providers: [AppMetrics, Database, DatabaseWatchdog, OptionalIndexes, Replicas],
  exports: [AppMetrics, Database, DatabaseWatchdog, OptionalIndexes, Replicas],
})
export class DatabaseModule {}
