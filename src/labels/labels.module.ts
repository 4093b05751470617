import { Module } from '@nestjs/common';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import {
  variableSetsController,
  VariableSetsModule,
} from '../variables/controllers/variable-sets.controller';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { Label, labels, LabelView, CreateLabel, UpdateLabel } from './label';
import { LabelAssignments } from './label-assignments';
import { LabelsService } from './labels.service';
import { READ, write, writeVariables } from '../auth/access';
import { resourceController } from '../resources/resource.controller';

const LabelsController = resourceController({
  collection: { definition: labels, view: LabelView, reads: READ, writes: write('labels') },
  create: CreateLabel,
  update: UpdateLabel,
  updates: writeVariables('labels'),
  service: LabelsService,
});

@Module({
  imports: [ResourcesModule, VariableSetsModule],
  controllers: [
    variableSetsController(labels),
    LabelsController,
    variablesController({ definition: labels, entity: Label }),
    singleVariableController({ definition: labels, entity: Label }),
  ],
  providers: [LabelsService, LabelAssignments],
  exports: [LabelAssignments],
})
export class LabelsModule {}
