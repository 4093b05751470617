import { Global, Module } from '@nestjs/common';
import { ListEngine } from './list-engine';

/** Reads the pages of all lists. */
@Global()
@Module({ providers: [ListEngine], exports: [ListEngine] })
export class ListsModule {}
