import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Environment } from '../config/environment';
import { AcceptGuard } from '../http/accept';
import { ActiveRequests } from '../http/active-requests';
import { MethodGuard } from '../http/method.guard';
import { RejectionMetrics } from '../http/rejection-metrics';
import { PreconditionGuard } from '../http/preconditions';
import { QueryGuard } from '../http/query.guard';
import { AccessGuard } from './access.guard';
import { AuthAuditLog } from './auth-audit-log';
import { AuthCachesModule } from './auth-caches.module';
import { AUTH_LIMITS, type AuthLimits, KeyRateLimiter, WrongCredentialsLimiter } from './auth-limits';
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
import { OidcStrategy, OidcTokens } from './identity/oidc/oidc.strategy';
import { PathUuids } from './path-uuids';
import { RequestContextBuilder } from './request-context.builder';
import { SessionStrategy, SIGN_IN_OPTIONS, type SignInOptions } from './sessions/session.strategy';

/** Authentication and authorisation: the guards of all routes, and the limits on requests, with their metrics. */
@Module({})
export class AuthModule {
  static with(environment: Environment): DynamicModule {
    const keystone = parseKeystoneSettings(environment);
    const oidc = parseOidcSettings(environment);
    // With Keystone, API keys stay valid, for clients that cannot renew tokens, such as Prometheus.
    const acceptsKeys = environment.IDENTITY !== 'oidc';
    const options: SignInOptions = { acceptsKeys, oidc };
    const { MAX_IN_FLIGHT, RATE_LIMIT, WRONG_CREDENTIALS_LIMIT } = environment;
    const limits: AuthLimits = { rate: RATE_LIMIT, wrongCredentials: WRONG_CREDENTIALS_LIMIT };
    return {
      module: AuthModule,
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
        {
          provide: ActiveRequests,
          inject: [RejectionMetrics],
          useFactory: (rejections: RejectionMetrics) => new ActiveRequests(MAX_IN_FLIGHT, rejections),
        },
        RejectionMetrics,
        { provide: AUTH_LIMITS, useValue: limits },
        KeyRateLimiter,
        WrongCredentialsLimiter,
        AuthAuditLog,
        RequestContextBuilder,
        PathUuids,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: MethodGuard },
        { provide: APP_GUARD, useClass: AcceptGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_GUARD, useClass: PreconditionGuard },
      ],
      exports: [
        SIGN_IN_OPTIONS,
        ...(oidc ? [OidcAccess, OidcSignIn] : []),
        ...[ActiveRequests, RejectionMetrics, KeyRateLimiter, WrongCredentialsLimiter, AuthAuditLog],
      ],
    };
  }
}
