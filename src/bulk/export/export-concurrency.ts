import { Inject, Injectable } from '@nestjs/common';
import { STREAM_LIMITS, type StreamLimits } from '../../http/streamed-response';
import { Turns } from '../concurrency-limit';

/** Sees to it that exports are few: each keeps a connection to the database for as long as its client takes. */
@Injectable()
export class ExportTurns extends Turns {
  constructor(@Inject(STREAM_LIMITS) limits: StreamLimits) {
    super(limits.maxExports, 'Too many exports are being made. Try again.');
  }
}
