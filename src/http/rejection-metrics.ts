import { Injectable } from '@nestjs/common';

/** Why well-formed requests are rejected, or their clients disconnected. */
export const REJECTION_REASONS = ['in_flight', 'rate', 'credentials', 'slow'] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Counts rejections, for the metrics. */
@Injectable()
export class RejectionMetrics {
  private readonly counts = new Map<RejectionReason, number>(REJECTION_REASONS.map((reason) => [reason, 0]));

  /** The number of rejections for each reason since the process started. */
  get byReason(): ReadonlyMap<RejectionReason, number> {
    return this.counts;
  }

  count(reason: RejectionReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }
}
