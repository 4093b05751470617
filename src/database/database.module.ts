import { Global, Module } from '@nestjs/common';
import { AppMetrics } from '../core/app-metrics';
import { Database } from './database';
import { Pulse } from './health/database-watchdog';
import { Replicas } from './replication/replicas';

@Global()
@Module({
  providers: [AppMetrics, Database, Pulse, Replicas],
  exports: [AppMetrics, Database, Pulse, Replicas],
})
export class PersistenceModule {}
