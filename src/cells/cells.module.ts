import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { LabelsModule } from '../labels/labels.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import {
  CellExplanationsController,
  CellsController,
  CellVariableController,
  CellVariablesController,
  ManyCellsVariablesController,
} from './cells.controller';
import { CellsService } from './cells.service';

@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule, LabelsModule],
  // In this order: Express takes the first route that matches, and `:id` and `:key` match every name.
  controllers: [
    ManyCellsVariablesController,
    CellsController,
    CellVariablesController,
    CellExplanationsController,
    CellVariableController,
  ],
  providers: [CellsService],
})
export class CellsModule {}
