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

/** Who asks, and whether they may: what stands before every route. */
@Module({})
export class IdentityModule {
  static with(environment: Environment): DynamicModule {
    const keystone = keystoneSettings(environment);
    // Keys of Muster's own are taken with Keystone, too: of what cannot get tokens anew, such as Prometheus.
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
