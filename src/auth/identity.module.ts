import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Environment } from '../config/environment';
import { PreconditionGuard } from '../http/preconditions';
import { QueryGuard } from '../http/query.guard';
import { AccessGuard } from './access.guard';
import { AuthCachesModule } from './auth-caches.module';
import { ApiKeyStrategy } from './identity/api-key.strategy';
import {
  createKeystonePool,
  KEYSTONE_POOL,
  KeystoneApi,
  ServiceToken,
} from './identity/keystone/keystone-api';
import { KEYSTONE_SETTINGS, parseKeystoneSettings } from './identity/keystone/keystone-settings';
import { KeystoneTokenValidator } from './identity/keystone/keystone-token-validator';
import { KeystoneStrategy } from './identity/keystone/keystone.strategy';
import { OidcAccess } from './identity/oidc/oidc-access';
import { OidcProvider } from './identity/oidc/oidc-provider';
import { OIDC_SETTINGS, parseOidcSettings } from './identity/oidc/oidc-settings';
import { OidcSignIn } from './identity/oidc/oidc-sign-in';
import { OidcTokens } from './identity/oidc/oidc-tokens';
import { OidcStrategy } from './identity/oidc/oidc.strategy';
import { SessionStrategy, SIGN_IN_OPTIONS, type SignInOptions } from './sessions/session.strategy';

/** Authentication and authorisation: the guards of all routes. */
@Module({})
export class IdentityModule {
  static with(environment: Environment): DynamicModule {
    const keystone = parseKeystoneSettings(environment);
    const oidc = parseOidcSettings(environment);
    // With Keystone, API keys stay valid, for clients that cannot renew tokens, such as Prometheus.
    const acceptsKeys = environment.IDENTITY !== 'oidc';
    const options: SignInOptions = { acceptsKeys, oidc };
    return {
      module: IdentityModule,
      global: true,
      imports: [
        AuthCachesModule,
        PassportModule.register({
          session: false,
          defaultStrategy: [
            ...(acceptsKeys ? ['api-key'] : []),
            ...(keystone ? ['keystone'] : []),
            ...(oidc ? ['oidc'] : []),
            'session',
          ],
        }),
      ],
      providers: [
        SessionStrategy,
        { provide: SIGN_IN_OPTIONS, useValue: options },
        ...(acceptsKeys ? [ApiKeyStrategy] : []),
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
        ...(oidc
          ? [
              { provide: OIDC_SETTINGS, useValue: oidc },
              OidcProvider,
              OidcAccess,
              OidcTokens,
              OidcSignIn,
              OidcStrategy,
            ]
          : []),
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_GUARD, useClass: PreconditionGuard },
      ],
      exports: [SIGN_IN_OPTIONS, ...(oidc ? [OidcAccess, OidcSignIn] : [])],
    };
  }
}
