import { READ, write, writeVariables } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { cells, CellView } from './cell';
import { CreateCell, UpdateCell } from './cell.dto';
import { CellsService } from './cells.service';

export const CellsController = resourceController({
  collection: { definition: cells, view: CellView, reads: READ, writes: write('cells') },
  create: CreateCell,
  update: UpdateCell,
  updates: writeVariables('cells'),
  service: CellsService,
});
