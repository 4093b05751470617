import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { CreateSavedView, UpdateSavedView } from './saved-view.dto';
import { SavedViewView, views } from './saved-view.entity';
import { ViewsService } from './views.service';

@ApiTags('views')
@Controller('v1/views')
export class ViewsController extends ResourceController({
  definition: views,
  view: SavedViewView,
  create: CreateSavedView,
  update: UpdateSavedView,
  reads: READ,
  writes: write('views'),
}) {
  constructor(protected readonly resources: ViewsService) {
    super();
  }
}
