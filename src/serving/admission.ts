import type { RequestHandler } from 'express';
import { InventoryError } from '../shared/errors/inventory-error';
import { refuse } from '../shared/errors/refuse';
import type { InFlight } from '../shared/http/in-flight';
import type { Refusals } from '../shared/http/refusals';

/** Who watches over the service is answered however busy it is. */
const HEALTH = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

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
  return (request, response, next) => {
    const isHealth = HEALTH.test(request.url);
    if (!isHealth && inFlight.isFull) {
      refusals.count('in_flight');
      refuse(request, response, TOO_BUSY);
      return;
    }
    // Node has them as one character for each byte.
    if (request.url.length > urlLimit) {
      refuse(request, response, tooLong);
      return;
    }
    inFlight.begin(request, response, !isHealth);
    next();
  };
}
