import type { RequestHandler } from 'express';
import { InventoryError } from '../../core/errors/inventory-error';
import { refuse } from '../send-error';
import type { InFlight } from './active-requests';
import type { Refusals } from './rejection-metrics';

/** Who watches over the service is answered however busy it is. */
const HEALTH = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** So many of those at a time: more than watch, and too few to do harm. */
const MOST_WATCHING = 32;

/** What a process lets in. */
export interface Admission {
  readonly inFlight: InFlight;
  readonly refusals: Refusals;
  /** The longest path with its query, in bytes. */
  readonly urlLimit: number;
}

const TOO_BUSY = new InventoryError('unavailable', 'Too many requests are in progress. Try again.', [], {
  'retry-after': '1',
});

/** Lets requests in, or refuses them before anything is done for them. */
export function admission({ inFlight, refusals, urlLimit }: Admission): RequestHandler {
  const tooLong = new InventoryError(
    'invalid_request',
    `The path and the query have more than ${String(urlLimit)} bytes (URL_LIMIT_BYTES).`,
  );
  let watching = 0;
  return (request, response, next) => {
    const isHealth = watching < MOST_WATCHING && HEALTH.test(request.url);
    // Node has them as one character for each byte.
    const isTooLong = request.url.length > urlLimit;
    const isRefused = isTooLong || (!isHealth && inFlight.isFull);
    // Who is refused is watched over, too: he may leave that unread.
    inFlight.begin(request, response, !isHealth && !isRefused);
    if (isRefused) {
      if (!isTooLong) refusals.count('in_flight');
      refuse(request, response, isTooLong ? tooLong : TOO_BUSY);
      return;
    }
    if (isHealth) {
      watching++;
      response.once('close', () => watching--);
    }
    next();
  };
}
