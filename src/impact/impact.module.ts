import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { ImpactService } from './impact.service';

@Module({
  imports: [ResourcesModule],
  providers: [ImpactService],
})
export class ImpactModule {}
