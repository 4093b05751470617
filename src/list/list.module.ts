import { Global, Module } from '@nestjs/common';
import { ListEngine } from './list-engine';

@Global()
@Module({ providers: [ListEngine], exports: [ListEngine] })
export class ListModule {}
