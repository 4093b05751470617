import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { explanationsController } from '../resources/explanations.controller';
import { singleVariableController } from '../resources/single-variable.controller';
import { variableSetsController } from '../resources/variable-sets.controller';
import { variablesController } from '../resources/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { Cell, cells } from './cell';
import { CellsController } from './cells.controller';
import { CellsService } from './cells.service';

@Module({
  imports: [ResourcesModule, LabelsModule],
  controllers: [
    variableSetsController(cells),
    CellsController,
    variablesController({ listing: cells, entity: Cell }),
    explanationsController(cells),
    singleVariableController({ listing: cells, entity: Cell }),
  ],
  providers: [CellsService],
})
export class CellsModule {}
