import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { ChangesController } from './changes.controller';

@Module({ imports: [ResourcesModule], controllers: [ChangesController] })
export class HistoryModule {}
