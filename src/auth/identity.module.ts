import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Environment } from '../config/environment';
import { PreconditionGuard } from '../http/preconditions';
import { QueryGuard } from '../http/query.guard';
import { AccessGuard } from './access.guard';
import { AuthModule } from './auth-caches.module';
import { ApiKeyStrategy } from './identity/api-key.strategy';
import { KeystoneApi } from './identity/keystone/keystone-api';
import { connectKeystone, KEYSTONE_POOL } from './identity/keystone/keystone-http-pool';
import { KEYSTONE, keystoneSettings } from './identity/keystone/keystone-settings';
import { KeystoneTokens } from './identity/keystone/keystone-token-validator';
import { KeystoneStrategy } from './identity/keystone/keystone.strategy';
import { ServiceToken } from './identity/keystone/service-token';

/** Authentication and authorisation: the guards of all routes. */
@Module({})
export class IdentityModule {
  static with(environment: Environment): DynamicModule {
    const keystone = keystoneSettings(environment);
    // With Keystone, API keys stay valid, for clients that cannot renew tokens, such as Prometheus.
    const defaultStrategy = keystone ? ['api-key', 'keystone'] : ['api-key'];
    return {
      module: IdentityModule,
      imports: [AuthModule, PassportModule.register({ session: false, defaultStrategy })],
      providers: [
        ApiKeyStrategy,
        ...(keystone
          ? [
              { provide: KEYSTONE, useValue: keystone },
              { provide: KEYSTONE_POOL, useFactory: () => connectKeystone(keystone) },
              KeystoneApi,
              ServiceToken,
              KeystoneTokens,
              KeystoneStrategy,
            ]
          : []),
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_GUARD, useClass: PreconditionGuard },
      ],
    };
  }
}
