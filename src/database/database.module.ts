import { Global, Module } from '@nestjs/common';
import { Measurements } from '../core/app-metrics';
import { Database } from './database';
import { Pulse } from './health/database-watchdog';
import { Replicas } from './replication/replicas';

@Global()
@Module({
  providers: [Measurements, Database, Pulse, Replicas],
  exports: [Measurements, Database, Pulse, Replicas],
})
export class PersistenceModule {}
