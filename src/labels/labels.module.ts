import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import { LabelAssignments } from './label-assignments';
import {
  LabelsController,
  LabelVariableController,
  LabelVariablesController,
  ManyLabelsVariablesController,
} from './labels.controller';
import { LabelsService } from './labels.service';

@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule],
  // In this order: Express takes the first route that matches, and `:id` and `:key` match every name.
  controllers: [
    ManyLabelsVariablesController,
    LabelsController,
    LabelVariablesController,
    LabelVariableController,
  ],
  providers: [LabelsService, LabelAssignments],
  exports: [LabelAssignments],
})
export class LabelsModule {}
