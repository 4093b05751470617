import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { ImpactService } from './impact.service';

@Module({
  imports: [VariablesModule],
  providers: [ImpactService],
  exports: [ImpactService],
})
export class ImpactModule {}
