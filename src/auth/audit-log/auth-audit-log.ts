import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { InventoryError } from '../../core/errors/inventory-error';
import { clientAddress, headerText, requestId } from '../../http/request';
import { routeOf } from '../../http/matched-route';
import { withoutKeys } from '../identity/api-key';
import { countedAs, RateExceeded } from '../limits/rate-limit-error';
import { NotAdmitted } from '../access-denied-error';
import {
  AUTH_FAILURE_REASONS,
  requestState,
  type AuthFailure,
  type AuthFailureReason,
} from '../../http/request-state';
import { LogThrottle } from './log-throttle';

/** The maximum length of values that the client claims. */
const MAX_CLAIM_LENGTH = 100;

/**
 * Logs and counts every failed authentication and authorisation. Responses 429 are throttled to one line per second:
 * one for all clients with too many wrong credentials, and one for each key that exceeds its rate. The line contains
 * the number of suppressed lines.
 */
@Injectable()
export class RefusalLog {
  /** Failed authentications by reason, since the start of the process. */
  readonly authentications = new Map<AuthFailureReason, number>(
    AUTH_FAILURE_REASONS.map((reason) => [reason, 0]),
  );
  authorisations = 0;
  private readonly log = new Logger('Audit');
  private readonly tooMany = new LogThrottle();
  private readonly rates = new LogThrottle();

  /** Called with every error response. Only failed authentications and authorisations are logged. */
  note(request: Request, error: InventoryError): void {
    const failure = requestState(request).authFailure;
    if (error.code === 'unauthenticated') this.logUnauthenticated(request, failure ?? { reason: 'not told' });
    else if (error.code === 'too_many_requests' && failure) this.logTooManyFailures(request, failure);
    else if (error instanceof RateExceeded) this.logRateExceeded(request, error);
    else if (error.code === 'forbidden') this.logForbidden(request, error);
  }

  /**
   * Logs a request of which some parts were not allowed and the others were executed.
   * @param needed what the first of these parts requires
   * @param parts the number of these parts in the response
   */
  notePart(request: Request, needed: string, parts: number): void {
    this.logForbidden(request, new InventoryError('forbidden', needed), { parts });
  }

  private logTooManyFailures(request: Request, { keyId }: AuthFailure): void {
    const leftOut = this.tooMany.leftOut('all');
    const failure: AuthFailure = { reason: 'too many', ...(keyId === undefined ? {} : { keyId }) };
    if (leftOut === undefined) this.count('too many');
    else this.logUnauthenticated(request, failure, { left_out: leftOut });
  }

  private logRateExceeded(request: Request, { identity }: RateExceeded): void {
    const leftOut = this.rates.leftOut(countedAs(identity));
    if (leftOut === undefined) return;
    const { principal, projectId: project, key } = identity;
    const event = 'rate exceeded';
    this.write(request, { event, user: principal.username, project, key_id: key?.id, left_out: leftOut });
  }

  private logUnauthenticated(request: Request, { reason, keyId }: AuthFailure, more: object = {}): void {
    this.count(reason);
    const { 'x-auth-user': user, 'x-auth-project': project } = request.headers;
    const claimed = { user: sanitizeClaim(user), project: sanitizeClaim(project), key_id: keyId };
    this.write(request, { event: 'authentication refused', reason, claimed, ...more });
  }

  private count(reason: AuthFailureReason): void {
    this.authentications.set(reason, (this.authentications.get(reason) ?? 0) + 1);
  }

  private logForbidden(request: Request, error: InventoryError, more: object = {}): void {
    this.authorisations++;
    const ctx = requestState(request).context?.ctx;
    this.write(request, {
      event: 'authorisation refused',
      needed: error instanceof NotAdmitted ? error.needed : error.message.slice(0, 5 * MAX_CLAIM_LENGTH),
      user: ctx?.principal.username,
      project: ctx?.projectId,
      ...more,
    });
  }

  private write(
    request: Request,
    fields: { readonly event: string; readonly [member: string]: unknown },
  ): void {
    const source = { method: request.method, route: routeOf(request), address: clientAddress(request) };
    this.log.warn({ request_id: requestId(request), ...fields, ...source }, fields.event);
  }
}

/** Truncates a value that the client claims, and removes API keys from it. */
function sanitizeClaim(header: string | string[] | undefined): string | undefined {
  const text = headerText(header);
  return text === undefined ? undefined : withoutKeys(text).slice(0, MAX_CLAIM_LENGTH);
}
