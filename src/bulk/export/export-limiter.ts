import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';
import { STREAM_LIMITS, type StreamLimits } from '../../http/streamed-response';

/** Limits concurrent exports: each holds a database connection until its client has received everything. */
@Injectable()
export class ExportLimiter extends ConcurrencyLimiter {
  constructor(@Inject(STREAM_LIMITS) limits: StreamLimits) {
    super({
      maxConcurrent: limits.maxExports,
      message: 'Too many exports are running. Retry later.',
      retryAfterSeconds: 10,
    });
  }
}
