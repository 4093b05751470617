import { Inject, Injectable } from '@nestjs/common';
import { InventoryError } from '../../shared/errors/inventory-error';
import { IMPORT_LIMITS, type ImportLimits } from './import-limits';

/** Lets only so many imports be taken in at once: each needs room beside the database, and holds a client's connection. */
@Injectable()
export class ImportTurns {
  private running = 0;

  constructor(@Inject(IMPORT_LIMITS) private readonly limits: ImportLimits) {}

  /** @throws InventoryError 503 if there are as many as there may be */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.atOnce)
      throw new InventoryError('unavailable', 'There are too many imports at once. Try again.', [], {
        'retry-after': '10',
      });
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
