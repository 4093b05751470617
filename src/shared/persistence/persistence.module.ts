import { Global, Module } from '@nestjs/common';
import { ListEngine } from '../list/list-engine';
import { Database } from './database';

@Global()
@Module({ providers: [Database, ListEngine], exports: [Database, ListEngine] })
export class PersistenceModule {}
