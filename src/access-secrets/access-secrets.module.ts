import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { AccessSecretsController } from './access-secrets.controller';
import { AccessSecretsService } from './access-secrets.service';

/** Needs a `SECRET_BOX`, which the application provides from the environment. */
@Module({
  imports: [VariablesModule],
  controllers: [AccessSecretsController],
  providers: [AccessSecretsService],
})
export class AccessSecretsModule {}
