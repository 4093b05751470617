import { Injectable } from '@nestjs/common';

/** Why requests are refused, or cut off, that nothing is wrong with. */
export const REFUSALS = ['in_flight', 'rate', 'credentials', 'slow'] as const;

export type Refusal = (typeof REFUSALS)[number];

/** Counts what is turned away, for whoever watches over the service. */
@Injectable()
export class Refusals {
  private readonly counts = new Map<Refusal, number>(REFUSALS.map((reason) => [reason, 0]));

  /** So many of each, since the process began. */
  get byReason(): ReadonlyMap<Refusal, number> {
    return this.counts;
  }

  count(reason: Refusal): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }
}
