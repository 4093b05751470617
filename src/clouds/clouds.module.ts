import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { CloudsController } from './clouds.controller';
import { CloudsService } from './clouds.service';

@Module({ imports: [ResourcesModule], controllers: [CloudsController], providers: [CloudsService] })
export class CloudsModule {}
