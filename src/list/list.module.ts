import { Global, Module } from '@nestjs/common';
import { ListEngine } from './list-engine';

/** The list engine, for whoever answers lists. */
@Global()
@Module({ providers: [ListEngine], exports: [ListEngine] })
export class ListModule {}
