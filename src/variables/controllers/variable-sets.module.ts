import { Module } from '@nestjs/common';
import { ResourcesModule } from '../../resources/resources.module';
import { VariableSetsService } from './variable-sets.service';

@Module({ imports: [ResourcesModule], providers: [VariableSetsService], exports: [VariableSetsService] })
export class VariableSetsModule {}
