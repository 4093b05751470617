import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';

/** Limits concurrent audit runs: each needs a connection and the processor for seconds. Queued runs need neither. */
@Injectable()
export class AuditRunLimiter extends ConcurrencyLimiter {
  constructor() {
    super({
      maxConcurrent: 2,
      queue: { maxLength: 20, timeoutMs: 10_000 },
      message: 'Too many audits are being run. Try again.',
      retryAfterSeconds: 5,
    });
  }
}
