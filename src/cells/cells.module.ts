import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { explanationsController } from '../variables/controllers/explanations.controller';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import {
  variableSetsController,
  VariableSetsModule,
} from '../variables/controllers/variable-sets.controller';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { Cell, cells, CellView, CreateCell, UpdateCell } from './cell';
import { CellsService } from './cells.service';
import { READ, write, writeVariables } from '../auth/access';
import { resourceController } from '../resources/resource.controller';

const CellsController = resourceController({
  collection: { definition: cells, view: CellView, reads: READ, writes: write('cells') },
  create: CreateCell,
  update: UpdateCell,
  updates: writeVariables('cells'),
  service: CellsService,
});

@Module({
  imports: [ResourcesModule, VariableSetsModule, LabelsModule],
  controllers: [
    variableSetsController(cells),
    CellsController,
    variablesController({ definition: cells, entity: Cell }),
    explanationsController(cells),
    singleVariableController({ definition: cells, entity: Cell }),
  ],
  providers: [CellsService],
})
export class CellsModule {}
