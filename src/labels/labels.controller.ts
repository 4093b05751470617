import { READ, write, writeVariables } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { labels, LabelView } from './label';
import { CreateLabel, UpdateLabel } from './label.dto';
import { LabelsService } from './labels.service';

export const LabelsController = resourceController({
  collection: { definition: labels, view: LabelView, reads: READ, writes: write('labels') },
  create: CreateLabel,
  update: UpdateLabel,
  updates: writeVariables('labels'),
  service: LabelsService,
});
