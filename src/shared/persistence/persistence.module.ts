import { Global, Module } from '@nestjs/common';
import { ListEngine } from '../list/list-engine';
import { Database } from './database';
import { Replicas } from './replication/replicas';

@Global()
@Module({ providers: [Database, Replicas, ListEngine], exports: [Database, Replicas, ListEngine] })
export class PersistenceModule {}
