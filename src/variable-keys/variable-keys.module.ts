import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { VariableKeysController, VariablePlacesController } from './variable-keys.controller';
import { VariableKeysService } from './variable-keys.service';
import { VariablePlacesService } from './variable-places.service';

/** Searches where variables are set, across the whole inventory. */
@Module({
  imports: [ResourcesModule],
  controllers: [VariablePlacesController, VariableKeysController],
  providers: [VariablePlacesService, VariableKeysService],
})
export class VariableKeysModule {}
