import { type ArgumentsHost, Catch, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { InventoryError } from '../core/errors';
import { clientAddress, headerText, projectHeader, requestId, routeOf } from '../http/request';
import { redactKeys } from './identity/api-key';
import { rateLimitKey, RateLimitExceededError } from './auth-limits';
import { AccessDeniedError } from './access';
import {
  AUTH_FAILURE_REASONS,
  requestState,
  type AuthFailure,
  type AuthFailureReason,
} from '../http/request-state';
import { ErrorFilter } from '../http/error.filter';

const INTERVAL_MS = 1_000;

/** Events beyond the newest thousand are logged again. */
const MAX_EVENTS = 1_000;

interface LoggedEvent {
  readonly at: number;
  suppressed: number;
}

/** Limits repeated events to one log line per second. */
class LogThrottle {
  private readonly logged = new LRUCache<string, LoggedEvent>({ max: MAX_EVENTS });

  /**
   * Called for each event.
   * @param event identifies events that are counted together
   * @returns how many events were suppressed since the last line; undefined if this one is to be suppressed, too
   */
  countSuppressed(event: string): number | undefined {
    const now = performance.now();
    const last = this.logged.get(event);
    if (last && now - last.at < INTERVAL_MS) {
      last.suppressed++;
      return undefined;
    }
    this.logged.set(event, { at: now, suppressed: 0 });
    return last?.suppressed ?? 0;
  }
}

/** The maximum length of values that the client claims. */
const MAX_CLAIM_LENGTH = 100;

/**
 * Logs and counts every failed authentication and authorisation. Responses 429 are throttled to one line per second:
 * one for all clients with too many wrong credentials, and one for each key that exceeds its rate. The line contains
 * the number of suppressed lines.
 */
@Injectable()
export class AuthAuditLog {
  /** Failed authentications by reason, since the start of the process. */
  readonly failedAuthentications = new Map<AuthFailureReason, number>(
    AUTH_FAILURE_REASONS.map((reason) => [reason, 0]),
  );
  deniedRequests = 0;
  private readonly log = new Logger('Audit');
  private readonly failureThrottle = new LogThrottle();
  private readonly rateThrottle = new LogThrottle();

  /** Called with every error response. Only failed authentications and authorisations are logged. */
  logError(request: Request, error: InventoryError): void {
    const failure = requestState(request).authFailure;
    if (error.code === 'unauthenticated')
      this.logUnauthenticated(request, failure ?? { reason: 'unspecified' });
    else if (error.code === 'too_many_requests' && failure) this.logTooManyFailures(request, failure);
    else if (error instanceof RateLimitExceededError) this.logRateExceeded(request, error);
    else if (error.code === 'forbidden') this.logForbidden(request, error);
  }

  /**
   * Logs a request of which some parts were not allowed and the others were executed.
   * @param needed what the first of these parts requires
   * @param parts the number of these parts in the response
   */
  logPartiallyForbidden(request: Request, needed: string, parts: number): void {
    this.logForbidden(request, new InventoryError('forbidden', needed), { parts });
  }

  private logTooManyFailures(request: Request, { keyId }: AuthFailure): void {
    const suppressed = this.failureThrottle.countSuppressed('all');
    const failure: AuthFailure = { reason: 'too many', ...(keyId === undefined ? {} : { keyId }) };
    if (suppressed === undefined) this.count('too many');
    else this.logUnauthenticated(request, failure, { suppressed });
  }

  private logRateExceeded(request: Request, { identity }: RateLimitExceededError): void {
    const suppressed = this.rateThrottle.countSuppressed(rateLimitKey(identity));
    if (suppressed === undefined) return;
    const { principal, projectId: project, key } = identity;
    const event = 'rate exceeded';
    this.write(request, { event, user: principal.username, project, key_id: key?.id, suppressed });
  }

  private logUnauthenticated(request: Request, { reason, keyId }: AuthFailure, more: object = {}): void {
    this.count(reason);
    const claimed = {
      user: sanitizeClaim(headerText(request.headers['x-auth-user'])),
      project: sanitizeClaim(projectHeader(request)),
      key_id: keyId,
    };
    this.write(request, { event: 'authentication refused', reason, claimed, ...more });
  }

  private count(reason: AuthFailureReason): void {
    this.failedAuthentications.set(reason, (this.failedAuthentications.get(reason) ?? 0) + 1);
  }

  private logForbidden(request: Request, error: InventoryError, more: object = {}): void {
    this.deniedRequests++;
    const ctx = requestState(request).context?.ctx;
    this.write(request, {
      event: 'authorisation refused',
      needed:
        error instanceof AccessDeniedError ? error.needed : error.message.slice(0, 5 * MAX_CLAIM_LENGTH),
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
function sanitizeClaim(text: string | undefined): string | undefined {
  return text === undefined ? undefined : redactKeys(text).slice(0, MAX_CLAIM_LENGTH);
}

/** The error filter that also reports errors to the audit log. */
@Catch()
export class AuditedErrorFilter extends ErrorFilter {
  constructor(private readonly auditLog: AuthAuditLog) {
    super();
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    // The error of a subrequest is logged as that of the whole request.
    if (thrown instanceof InventoryError && !requestState(request).subrequest)
      this.auditLog.logError(request, thrown);
    super.catch(thrown, host);
  }
}
