import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { AccessSecretsService } from './access-secrets.service';
import { ADMIN } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import {
  accessSecrets,
  AccessSecretView,
  OpenAccessSecretView,
  CreateAccessSecret,
  UpdateAccessSecret,
} from './access-secret';

const AccessSecretsController = resourceController({
  collection: {
    definition: accessSecrets,
    view: AccessSecretView,
    shownView: OpenAccessSecretView,
    reads: ADMIN,
    writes: ADMIN,
  },
  create: CreateAccessSecret,
  update: UpdateAccessSecret,
  service: AccessSecretsService,
});

/** Needs a `SECRET_BOX`, which the application provides from the environment. */
@Module({
  imports: [ResourcesModule],
  controllers: [AccessSecretsController],
  providers: [AccessSecretsService],
})
export class AccessSecretsModule {}
