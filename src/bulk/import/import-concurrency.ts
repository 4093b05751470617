import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../concurrency-limit';
import { IMPORT_LIMITS, type ImportLimits } from './import-limits';

/** Lets only so many imports be taken in at once: each needs room beside the database, and holds a client's connection. */
@Injectable()
export class ImportTurns extends Turns {
  constructor(@Inject(IMPORT_LIMITS) limits: ImportLimits) {
    super(limits.atOnce, 'There are too many imports at once. Try again.');
  }
}
