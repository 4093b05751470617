import { Module } from '@nestjs/common';
import { ResourcesModule } from '../../resources/resources.module';
import { VariableSets } from './variable-sets.service';

@Module({ imports: [ResourcesModule], providers: [VariableSets], exports: [VariableSets] })
export class VariableSetsModule {}
