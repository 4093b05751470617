import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import { variableSetsController } from '../variables/controllers/variable-sets.controller';
import { VariableSetsModule } from '../variables/controllers/variable-sets.service';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { CellMoves, RegionsService } from './regions.service';
import { Region, regions } from './region';
import { RegionController, RegionsController } from './regions.controller';

@Module({
  imports: [ResourcesModule, VariableSetsModule, LabelsModule],
  controllers: [
    variableSetsController(regions),
    RegionsController,
    RegionController,
    variablesController({ definition: regions, entity: Region }),
    singleVariableController({ definition: regions, entity: Region }),
  ],
  providers: [RegionsService, CellMoves],
  exports: [CellMoves],
})
export class RegionsModule {}
