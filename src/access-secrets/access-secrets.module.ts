import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { AccessSecretsController } from './access-secrets.controller';
import { AccessSecretsService } from './access-secrets.service';

/** Needs a `SECRET_BOX`, which the application provides from the environment. */
@Module({
  imports: [ChangesModule, ResourcesModule],
  controllers: [AccessSecretsController],
  providers: [AccessSecretsService],
})
export class AccessSecretsModule {}
