import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { ImpactService } from './impact.service';

/** What changes do to the resolved variables of devices. */
@Module({
  imports: [VariablesModule],
  providers: [ImpactService],
})
export class ImpactModule {}
