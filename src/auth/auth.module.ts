import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { PreconditionGuard } from '../shared/http/precondition.guard';
import { QueryGuard } from '../shared/http/query.guard';
import { AccessGuard } from './access.guard';
import { ApiKeyStrategy } from './identity/api-key.strategy';
import { KeyRing } from './identity/key-ring';
import { ProjectPolicies } from './project-policies';

/** Who asks, and whether they may. */
@Module({
  imports: [PassportModule.register({ session: false })],
  providers: [
    KeyRing,
    ProjectPolicies,
    ApiKeyStrategy,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_GUARD, useClass: PreconditionGuard },
  ],
  exports: [KeyRing, ProjectPolicies],
})
export class AuthModule {}
