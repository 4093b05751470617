import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ADMIN } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import {
  accessSecrets,
  AccessSecretView,
  CreateAccessSecret,
  OpenAccessSecretView,
  UpdateAccessSecret,
} from './access-secret';
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
}) {
  constructor(protected readonly resources: AccessSecretsService) {
    super();
  }
}
