import { Global, Module } from '@nestjs/common';
import { AppMetrics } from '../core/app-metrics';
import { Database } from './database';
import { DatabaseWatchdog } from './health/database-watchdog';
import { OptionalIndexes } from './optional-indexes';
import { Replicas } from './replication/replicas';
import { TableAnalyzer } from './table-statistics';

@Global()
@Module({
  providers: [AppMetrics, Database, DatabaseWatchdog, OptionalIndexes, Replicas, TableAnalyzer],
  exports: [AppMetrics, Database, DatabaseWatchdog, OptionalIndexes, Replicas, TableAnalyzer],
})
export class DatabaseModule {}
