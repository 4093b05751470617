import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { DeviceCountsService } from './device-counts.service';
import { DeviceSelector } from './device-selection';
import { StatisticsController } from './statistics.controller';
import { VariableValuesService } from './variable-values.service';

/** Counts devices, and the values that they resolve. */
@Module({
  imports: [ResourcesModule],
  controllers: [StatisticsController],
  providers: [DeviceSelector, DeviceCountsService, VariableValuesService],
})
export class StatisticsModule {}
