import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';
import { IMPORT_LIMITS, type ImportLimits } from './import.service';

/** Limits concurrent imports: each needs disk space and holds a client's connection. */
@Injectable()
export class ImportLimiter extends ConcurrencyLimiter {
  constructor(@Inject(IMPORT_LIMITS) limits: ImportLimits) {
    super({
      maxConcurrent: limits.maxConcurrent,
      message: 'There are too many imports at once. Try again.',
      retryAfterSeconds: 10,
    });
  }
}
