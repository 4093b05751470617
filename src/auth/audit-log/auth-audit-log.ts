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

/** In characters: what somebody says of himself may be anything. */
const LONGEST_CLAIM = 100;

/**
 * Writes a line for every authentication and authorisation that is refused, and counts them. Where somebody is answered
 * with 429, there is one line a second, which says how many had none: one of all who were wrong too often, and one of each
 * key that asks too often.
 */
@Injectable()
export class RefusalLog {
  /** Since the process began. */
  readonly authentications = new Map<AuthFailureReason, number>(
    AUTH_FAILURE_REASONS.map((reason) => [reason, 0]),
  );
  authorisations = 0;
  private readonly log = new Logger('Audit');
  private readonly tooMany = new LogThrottle();
  private readonly rates = new LogThrottle();

  /** To be told of every error that a request is answered with; most are no refusals. */
  note(request: Request, error: InventoryError): void {
    const refusal = requestState(request).authFailure;
    if (error.code === 'unauthenticated')
      this.noteUnauthenticated(request, refusal ?? { reason: 'not told' });
    else if (error.code === 'too_many_requests' && refusal) this.noteTooMany(request, refusal);
    else if (error instanceof RateExceeded) this.noteRate(request, error);
    else if (error.code === 'forbidden') this.noteForbidden(request, error);
  }

  /**
   * Notes that parts of a request were not allowed, where the others were done.
   * @param needed what the first of them would have needed
   * @param parts how many of them, of those that the answer tells
   */
  notePart(request: Request, needed: string, parts: number): void {
    this.noteForbidden(request, new InventoryError('forbidden', needed), { parts });
  }

  private noteTooMany(request: Request, { keyId }: AuthFailure): void {
    const leftOut = this.tooMany.leftOut('all');
    const refusal: AuthFailure = { reason: 'too many', ...(keyId === undefined ? {} : { keyId }) };
    if (leftOut === undefined) this.count('too many');
    else this.noteUnauthenticated(request, refusal, { left_out: leftOut });
  }

  private noteRate(request: Request, { identity }: RateExceeded): void {
    const leftOut = this.rates.leftOut(countedAs(identity));
    if (leftOut === undefined) return;
    const { principal, projectId: project, key } = identity;
    const event = 'rate exceeded';
    this.write(request, { event, user: principal.username, project, key_id: key?.id, left_out: leftOut });
  }

  private noteUnauthenticated(request: Request, { reason, keyId }: AuthFailure, more: object = {}): void {
    this.count(reason);
    const { 'x-auth-user': user, 'x-auth-project': project } = request.headers;
    const claimed = { user: claimOf(user), project: claimOf(project), key_id: keyId };
    this.write(request, { event: 'authentication refused', reason, claimed, ...more });
  }

  private count(reason: AuthFailureReason): void {
    this.authentications.set(reason, (this.authentications.get(reason) ?? 0) + 1);
  }

  private noteForbidden(request: Request, error: InventoryError, more: object = {}): void {
    this.authorisations++;
    const ctx = requestState(request).context?.ctx;
    this.write(request, {
      event: 'authorisation refused',
      needed: error instanceof NotAdmitted ? error.needed : error.message.slice(0, 5 * LONGEST_CLAIM),
      user: ctx?.principal.username,
      project: ctx?.projectId,
      ...more,
    });
  }

  private write(
    request: Request,
    told: { readonly event: string; readonly [member: string]: unknown },
  ): void {
    const asked = { method: request.method, route: routeOf(request), address: clientAddress(request) };
    this.log.warn({ request_id: requestId(request), ...told, ...asked }, told.event);
  }
}

/** What somebody says of himself, without the key that he may have put there. */
function claimOf(header: string | string[] | undefined): string | undefined {
  const text = headerText(header);
  return text === undefined ? undefined : withoutKeys(text).slice(0, LONGEST_CLAIM);
}
