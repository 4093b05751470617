import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppMetrics } from '../core/app-metrics';
import { createDatabase } from './citus/create-database';
import { TIME_LIMITS, WITHOUT_DATABASE } from './connection/connection-options';
import { Database } from './database';
import { DatabaseWatchdog } from './health/database-watchdog';
import { OptionalIndexes } from './optional-indexes';
import { Replicas } from './replication/replicas';
import { TableAnalyzer } from './table-statistics';

@Global()
@Module({
  providers: [
    AppMetrics,
    {
      provide: Database,
      inject: [
        DataSource,
        Replicas,
        AppMetrics,
        { token: TIME_LIMITS, optional: true },
        { token: WITHOUT_DATABASE, optional: true },
      ],
      useFactory: createDatabase,
    },
    DatabaseWatchdog,
    OptionalIndexes,
    Replicas,
    TableAnalyzer,
  ],
  exports: [AppMetrics, Database, DatabaseWatchdog, OptionalIndexes, Replicas, TableAnalyzer],
})
export class DatabaseModule {}
