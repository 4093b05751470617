import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { VariableKeysController } from './variable-keys.controller';
import { VariableKeysService } from './variable-keys.service';
import { VariablePlacesController } from './variable-places.controller';
import { VariablePlacesService } from './variable-places.service';

/** Searches where variables are set, across the whole inventory. */
@Module({
  imports: [ResourcesModule],
  controllers: [VariablePlacesController, VariableKeysController],
  providers: [VariablePlacesService, VariableKeysService],
})
export class VariableKeysModule {}
