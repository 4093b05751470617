import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { DeviceCountsService } from './device-counts.service';
import { DeviceSelector } from './device-selection';
import { StatisticsController } from './statistics.controller';
import { StatisticsReader } from './statistics-reader';
import { VariableValuesService } from './variable-values.service';

/** Counts devices, and the values that they resolve. */
@Module({
  imports: [ResourcesModule],
  controllers: [StatisticsController],
  providers: [DeviceSelector, StatisticsReader, DeviceCountsService, VariableValuesService],
})
export class StatisticsModule {}
