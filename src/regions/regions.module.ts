import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { LabelsModule } from '../labels/labels.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import {
  ManyRegionsVariablesController,
  RegionController,
  RegionsController,
  RegionVariableController,
  RegionVariablesController,
} from './regions.controller';
import { RegionsService } from './regions.service';

@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule, LabelsModule],
  // In this order: Express takes the first route that matches, and `:id` and `:key` match every name.
  controllers: [
    ManyRegionsVariablesController,
    RegionsController,
    RegionController,
    RegionVariablesController,
    RegionVariableController,
  ],
  providers: [RegionsService],
})
export class RegionsModule {}
