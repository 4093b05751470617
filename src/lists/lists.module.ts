import { Global, Module } from '@nestjs/common';
import { PageReader } from './read-page';

/** Reads the pages of all lists. */
@Global()
@Module({ providers: [PageReader], exports: [PageReader] })
export class ListsModule {}
