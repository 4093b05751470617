import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { explanationsController } from '../resources/explanations.controller';
import { variableController } from '../resources/variable.controller';
import { variablesController } from '../resources/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { Cell, cells } from './cell';
import { CellsController } from './cells.controller';
import { CellsService } from './cells.service';

@Module({
  imports: [ResourcesModule, LabelsModule],
  controllers: [
    CellsController,
    variablesController({ listing: cells, entity: Cell }),
    explanationsController(cells),
    variableController({ listing: cells, entity: Cell }),
  ],
  providers: [CellsService],
})
export class CellsModule {}
