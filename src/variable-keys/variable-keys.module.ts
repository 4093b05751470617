import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { VariableKeysController } from './variable-keys.controller';
import { VariableKeysService } from './variable-keys.service';
import { VariableAssignmentsController } from './variable-assignments.controller';
import { VariableAssignmentsService } from './variable-assignments.service';

/** Searches where variables are set, across the whole inventory. */
@Module({
  imports: [ResourcesModule],
  controllers: [VariableAssignmentsController, VariableKeysController],
  providers: [VariableAssignmentsService, VariableKeysService],
})
export class VariableKeysModule {}
