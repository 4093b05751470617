import { Module } from '@nestjs/common';
import { variablesController } from '../variables/variables.controller';
import { VariablesModule } from '../variables/variables.module';
import { Label, labels } from './label';
import { LabelAssignments } from './label-assignments';
import { LabelsController } from './labels.controller';
import { LabelsService } from './labels.service';

@Module({
  imports: [VariablesModule],
  controllers: [LabelsController, variablesController({ listing: labels, entity: Label })],
  providers: [LabelsService, LabelAssignments],
  exports: [LabelAssignments],
})
export class LabelsModule {}
