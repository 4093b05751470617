import { ADMIN } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { accessSecrets, AccessSecretView, OpenAccessSecretView } from './access-secret';
import { CreateAccessSecret, UpdateAccessSecret } from './access-secret.dto';
import { AccessSecretsService } from './access-secrets.service';

export const AccessSecretsController = resourceController({
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
