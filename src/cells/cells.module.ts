import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { variablesController } from '../variables/variables.controller';
import { VariablesModule } from '../variables/variables.module';
import { Cell, cells } from './cell';
import { CellsController } from './cells.controller';
import { CellsService } from './cells.service';

@Module({
  imports: [VariablesModule, LabelsModule],
  controllers: [CellsController, variablesController({ listing: cells, entity: Cell })],
  providers: [CellsService],
})
export class CellsModule {}
