import { Counter, Gauge, type Registry } from 'prom-client';
import type { ActiveRequests, RejectionMetrics } from '../http/active-requests';

/** Tells how many requests there are, and how many were turned away. */
export function observeTraffic(
  registry: Registry,
  activeRequests: ActiveRequests,
  rejections: RejectionMetrics,
): void {
  const registers = [registry];
  const present = new Gauge({
    name: 'muster_http_requests_in_flight',
    help: 'Requests that are being worked on or answered, of which there is a most (MAX_IN_FLIGHT).',
    registers,
    collect: () => {
      present.set(activeRequests.count);
    },
  });
  const refused = new Counter({
    name: 'muster_http_refusals_total',
    help: 'Requests that were refused, or cut off, for too many of them, too many wrong credentials or a slow client.',
    labelNames: ['reason'],
    registers,
    collect: () => {
      refused.reset();
      for (const [reason, count] of rejections.byReason) refused.inc({ reason }, count);
    },
  });
}
