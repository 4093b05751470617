import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { ChangesController } from './changes.controller';

@Module({ imports: [VariablesModule], controllers: [ChangesController] })
export class HistoryModule {}
