import type { IncomingMessage, ServerResponse } from 'node:http';
import { disconnectSlowClient } from './connections';
import { requestState } from './request-state';
import type { RequestHandler } from 'express';
import { InventoryError } from '../core/errors';
import { sendError } from './error.filter';
import { ActiveRequest } from './active-request';
import type { RejectionMetrics } from './rejection-metrics';

/** Returns a function that releases the request's slot, for a request that waits in a queue with its own limit. */
export const slotReleaseOf =
  (request: IncomingMessage): (() => void) =>
  () =>
    requestState(request).activeRequest?.releaseSlot();

/**
 * The requests that this process works on, up to a maximum. A request counts until its response is sent, or until its
 * client has disconnected and its handler is done: a client cannot free a slot by disconnecting.
 */
export class ActiveRequests {
  private counted = 0;

  /** @param max the maximum number of concurrent requests */
  constructor(
    private readonly max: number,
    private readonly rejections: RejectionMetrics,
  ) {}

  get count(): number {
    return this.counted;
  }

  get isFull(): boolean {
    return this.counted >= this.max;
  }

  /** Counts a request. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    let isCounted = true;
    this.counted++;
    const active = new ActiveRequest(
      () => {
        if (isCounted) this.counted--;
        isCounted = false;
      },
      (reason) => {
        disconnectSlowClient(request.socket, this.rejections, reason);
      },
    );
    requestState(request).activeRequest = active;
    response.once('close', () => {
      active.close();
    });
  }
}

/** The paths of monitoring, which are served even when the service is overloaded. */
const HEALTH_PATHS = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** The maximum of concurrent monitoring requests: more than there are monitors, and few enough not to overload. */
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
    else if (healthRequests < MAX_HEALTH_REQUESTS && HEALTH_PATHS.test(request.url)) {
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
