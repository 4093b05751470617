import { Inject, Injectable } from '@nestjs/common';
import { InventoryError } from '../../shared/errors/inventory-error';

/** What exports may take of a process. */
export interface ExportLimits {
  /** So many are made at a time. */
  readonly mostAtOnce: number;
  /** In seconds: a client that takes nothing for as long is left. */
  readonly patience: number;
}

/** The injection token of `ExportLimits`. */
export const EXPORT_LIMITS = Symbol('export limits');

/** How many exports are made at a time by who has so many connections to the database: most are left for all others. */
export const mostExports = (connections: number): number =>
  Math.max(1, Math.min(4, Math.floor(connections / 4)));

/** Sees to it that exports are few: each keeps a connection to the database for as long as its client takes. */
@Injectable()
export class ExportTurns {
  private running = 0;

  constructor(@Inject(EXPORT_LIMITS) private readonly limits: ExportLimits) {}

  /** Does work if there is room for it. @throws InventoryError 503 if there is none */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.mostAtOnce)
      throw new InventoryError('unavailable', 'Too many exports are being made. Try again.', [], {
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
