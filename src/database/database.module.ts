import { Global, Module } from '@nestjs/common';
import { AppMetrics } from '../core/app-metrics';
import { Database } from './database';
import { DatabaseWatchdog } from './health/database-watchdog';
import { Replicas } from './replication/replicas';

@Global()
@Module({
  providers: [AppMetrics, Database, DatabaseWatchdog, Replicas],
  exports: [AppMetrics, Database, DatabaseWatchdog, Replicas],
})
export class DatabaseModule {}
