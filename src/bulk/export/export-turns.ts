import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../turns';

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
export class ExportTurns extends Turns {
  constructor(@Inject(EXPORT_LIMITS) limits: ExportLimits) {
    super(limits.mostAtOnce, 'Too many exports are being made. Try again.');
  }
}
