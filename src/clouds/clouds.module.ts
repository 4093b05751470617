import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { CloudsController } from './clouds.controller';
import { CloudsService } from './clouds.service';

@Module({ imports: [VariablesModule], controllers: [CloudsController], providers: [CloudsService] })
export class CloudsModule {}
