import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Environment } from '../config/environment';
import { PreconditionGuard } from '../http/preconditions';
import { QueryGuard } from '../http/query.guard';
import { AccessGuard } from './access.guard';
import { AuthCachesModule } from './auth-caches.module';
import { ApiKeyStrategy } from './identity/api-key.strategy';
import { createKeystonePool, KEYSTONE_POOL, KeystoneApi } from './identity/keystone/keystone-api';
import { KEYSTONE_SETTINGS, parseKeystoneSettings } from './identity/keystone/keystone-settings';
import { KeystoneTokenValidator } from './identity/keystone/keystone-token-validator';
import { KeystoneStrategy } from './identity/keystone/keystone.strategy';
import { ServiceToken } from './identity/keystone/service-token';
import { SessionStrategy } from './sessions/session.strategy';

/** Authentication and authorisation: the guards of all routes. */
@Module({})
export class IdentityModule {
  static with(environment: Environment): DynamicModule {
    const keystone = parseKeystoneSettings(environment);
    // With Keystone, API keys stay valid, for clients that cannot renew tokens, such as Prometheus.
    const defaultStrategy = keystone ? ['api-key', 'keystone', 'session'] : ['api-key', 'session'];
    return {
      module: IdentityModule,
      imports: [AuthCachesModule, PassportModule.register({ session: false, defaultStrategy })],
      providers: [
        ApiKeyStrategy,
        SessionStrategy,
        ...(keystone
          ? [
              { provide: KEYSTONE_SETTINGS, useValue: keystone },
              { provide: KEYSTONE_POOL, useFactory: () => createKeystonePool(keystone) },
              KeystoneApi,
              ServiceToken,
              KeystoneTokenValidator,
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
