import { Module, type DynamicModule } from '@nestjs/common';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';
import { KeyRates } from './key-rate-limit';
import { WrongCredentials } from './wrong-credentials-limit';
import { RefusalLog } from '../audit-log/auth-audit-log';
import type { Environment } from '../../config/environment';
import { ActiveRequests, RejectionMetrics } from '../../http/active-requests';

/** Limits on concurrent requests and request rates, with their metrics. */
@Module({})
export class TrafficModule {
  static with({ MAX_IN_FLIGHT, RATE_LIMIT, WRONG_CREDENTIALS_LIMIT }: Environment): DynamicModule {
    const auth: AuthLimits = { rate: RATE_LIMIT, wrongCredentials: WRONG_CREDENTIALS_LIMIT };
    return {
      module: TrafficModule,
      global: true,
      providers: [
        {
          provide: ActiveRequests,
          inject: [RejectionMetrics],
          useFactory: (rejections: RejectionMetrics) => new ActiveRequests(MAX_IN_FLIGHT, rejections),
        },
        RejectionMetrics,
        { provide: AUTH_LIMITS, useValue: auth },
        KeyRates,
        WrongCredentials,
        RefusalLog,
      ],
      exports: [ActiveRequests, RejectionMetrics, KeyRates, WrongCredentials, RefusalLog],
    };
  }
}
