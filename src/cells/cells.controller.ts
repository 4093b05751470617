import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write, writeVariables } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { ExplanationsController } from '../resources/variables/explanations.controller';
import { ManyVariablesController } from '../resources/variables/many-variables.controller';
import { VariableController } from '../resources/variables/variable.controller';
import { VariablesController } from '../resources/variables/variables.controller';
import { Cell, cells, CellView } from './cell.entity';
import { CreateCell, UpdateCell } from './cell.dto';
import { CellsService } from './cells.service';

const owner = { definition: cells, entity: Cell };

@ApiTags('cells')
@Controller('v1/cells')
export class CellsController extends ResourceController({
  definition: cells,
  view: CellView,
  create: CreateCell,
  update: UpdateCell,
  reads: READ,
  writes: write('cells'),
  updates: writeVariables('cells'),
}) {
  constructor(protected readonly resources: CellsService) {
    super();
  }
}

@Controller('v1/cells/variables')
export class ManyCellsVariablesController extends ManyVariablesController(cells) {}

@Controller('v1/cells/:id/variables')
export class CellVariablesController extends VariablesController(owner) {}

@Controller('v1/cells/:id/variables/explain')
export class CellExplanationsController extends ExplanationsController(cells) {}

@Controller('v1/cells/:id/variables/:key')
export class CellVariableController extends VariableController(owner) {}
