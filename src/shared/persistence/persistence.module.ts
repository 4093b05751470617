import { Global, Module } from '@nestjs/common';
import { ListEngine } from '../list/list-engine';
import { Database } from './database';
import { Pulse } from './pulse';
import { Replicas } from './replication/replicas';

@Global()
@Module({
  providers: [Database, Pulse, Replicas, ListEngine],
  exports: [Database, Pulse, Replicas, ListEngine],
})
export class PersistenceModule {}
