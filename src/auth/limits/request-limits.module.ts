import { Module, type DynamicModule } from '@nestjs/common';
import { AUTH_LIMITS, type AuthLimits, KeyRateLimiter, WrongCredentialsLimiter } from './auth-limits';
import { AuthAuditLog } from '../audit-log/auth-audit-log';
import type { Environment } from '../../config/environment';
import { ActiveRequests, RejectionMetrics } from '../../http/active-requests';

/** Limits on concurrent requests and request rates, with their metrics. */
@Module({})
export class RequestLimitsModule {
  static with({ MAX_IN_FLIGHT, RATE_LIMIT, WRONG_CREDENTIALS_LIMIT }: Environment): DynamicModule {
    const auth: AuthLimits = { rate: RATE_LIMIT, wrongCredentials: WRONG_CREDENTIALS_LIMIT };
    return {
      module: RequestLimitsModule,
      global: true,
      providers: [
        {
          provide: ActiveRequests,
          inject: [RejectionMetrics],
          useFactory: (rejections: RejectionMetrics) => new ActiveRequests(MAX_IN_FLIGHT, rejections),
        },
        RejectionMetrics,
        { provide: AUTH_LIMITS, useValue: auth },
        KeyRateLimiter,
        WrongCredentialsLimiter,
        AuthAuditLog,
      ],
      exports: [ActiveRequests, RejectionMetrics, KeyRateLimiter, WrongCredentialsLimiter, AuthAuditLog],
    };
  }
}
