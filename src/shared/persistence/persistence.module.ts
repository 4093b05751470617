import { Global, Module } from '@nestjs/common';
import { ListEngine } from '../list/list-engine';
import { Database } from './database';
import { Pulse } from './pulse';
import { Replicas } from './replication/replicas';
import { ServerWatch } from './servers/server-watch';

@Global()
@Module({
  providers: [Database, Pulse, Replicas, ServerWatch, ListEngine],
  exports: [Database, Pulse, Replicas, ListEngine],
})
export class PersistenceModule {}
