import type { RequestHandler } from 'express';
import { InventoryError } from '../core/errors/inventory-error';
import { sendError } from './error.filter';
import type { ActiveRequests, RejectionMetrics } from './active-requests';

/** Monitoring is answered however busy the service is. */
const HEALTH = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Requests of monitoring at a time: more than there are monitors, and too few to do harm. */
const MAX_HEALTH_REQUESTS = 32;

export interface LoadSheddingOptions {
  readonly activeRequests: ActiveRequests;
  readonly rejections: RejectionMetrics;
  /** The longest path with its query, in bytes. */
  readonly urlLimit: number;
}

const OVERLOADED = new InventoryError(
  'unavailable',
  'Too many requests are in progress. Retry the request.',
  [],
  { 'retry-after': '1' },
);

/** Admits requests, or rejects them before anything is done for them. */
export function loadShedding({ activeRequests, rejections, urlLimit }: LoadSheddingOptions): RequestHandler {
  const tooLong = new InventoryError(
    'invalid_request',
    `The path and the query have more than ${String(urlLimit)} bytes (URL_LIMIT_BYTES).`,
  );
  let healthRequests = 0;
  return (request, response, next) => {
    // Node represents each byte as one character.
    if (request.url.length > urlLimit) sendError(request, response, tooLong);
    else if (healthRequests < MAX_HEALTH_REQUESTS && HEALTH.test(request.url)) {
      healthRequests++;
      response.once('close', () => healthRequests--);
      next();
    } else if (activeRequests.isFull) {
      rejections.count('in_flight');
      sendError(request, response, OVERLOADED);
    } else {
      activeRequests.begin(request, response);
      next();
    }
  };
}
