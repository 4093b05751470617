import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ADMIN } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { accessSecrets, AccessSecretView, OpenAccessSecretView } from './access-secret.entity';
import { CreateAccessSecret, UpdateAccessSecret } from './access-secret.dto';
import { AccessSecretsService } from './access-secrets.service';

@ApiTags('access-secrets')
@Controller('v1/access-secrets')
export class AccessSecretsController extends ResourceController({
  definition: accessSecrets,
  view: AccessSecretView,
  shownView: OpenAccessSecretView,
  create: CreateAccessSecret,
  update: UpdateAccessSecret,
  reads: ADMIN,
  writes: ADMIN,
  secretIn: 'shown',
}) {
  constructor(protected readonly resources: AccessSecretsService) {
    super();
  }
}
