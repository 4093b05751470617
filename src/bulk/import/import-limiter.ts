import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';

/** The injection token of `ImportLimits`. */
export const IMPORT_LIMITS = Symbol('import limits');

export interface ImportLimits {
  /** The maximum size of a decompressed body. */
  readonly maxBytes: number;
  /** The maximum number of concurrent imports. */
  readonly maxConcurrent: number;
}

/** Limits concurrent imports: each needs disk space and holds a client's connection. */
@Injectable()
export class ImportLimiter extends ConcurrencyLimiter {
  constructor(@Inject(IMPORT_LIMITS) limits: ImportLimits) {
    super({
      maxConcurrent: limits.maxConcurrent,
      message: 'Too many imports are running. Retry later.',
      retryAfterSeconds: 10,
    });
  }
}
