import type { IncomingMessage } from 'node:http';
import type { CallerApiKey, Principal, RequestContext } from '../core/context/request-context';
import type { ActiveRequest } from './active-request';

/** The result of authentication: who makes the request, and in which project. */
export interface Identity {
  readonly principal: Principal;
  readonly projectId: string;
  /** Absent if the caller was not authenticated by an API key, or by a session that was started with one. */
  readonly key?: CallerApiKey;
  /** Set if the caller was authenticated by the cookie of a session. */
  readonly session?: CallerSession;
}

/** What an OpenID provider asserts of a user. A session keeps it. */
export interface OidcAssertion {
  /** The issuer and the subject, separated by a space. */
  readonly subject: string;
  /** The candidate names of the user. */
  readonly names: readonly string[];
  /** The values of the claim that `OIDC_ROLES` maps. */
  readonly values: readonly string[];
}

/** An assertion, and what it grants by the service's settings. */
export interface OidcSession extends OidcAssertion {
  /** The roles by the projects that the user can enter, including the words `admin` and `root`. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
}

/** The session of a caller. */
export interface CallerSession {
  /** Identifies the session; contains no secret. */
  readonly id: string;
  /** Set after a sign-in with OpenID Connect. */
  readonly oidc: OidcSession | undefined;
  /** In UTC with microseconds, as in responses. */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When the session ends unless it is used before. */
  readonly idleExpiresAt: string;
}

/** Why a request is not authenticated. It is in the log and the metrics, but never sent to the client. */
export const AUTH_FAILURE_REASONS = [
  'no credentials',
  /** Two different tokens, a `Bearer` without a token, or a token that is not an API key. */
  'malformed credentials',
  'unknown key',
  'wrong secret',
  'revoked key',
  'expired key',
  /** `X-Auth-User` is missing, or does not name the owner of the key. */
  'user does not match',
  'project does not match',
  /** Keystone does not validate this token. */
  'unknown token',
  'token without a project',
  /** The cookie is malformed, or its session has ended. */
  'unknown session',
  'expired session',
  /** The token of the OpenID provider has expired. */
  'expired token',
  /** The response of the OpenID provider does not belong to a sign-in of this browser, or is not valid. */
  'failed sign-in',
  'unspecified',
  /** Rejected with 429, because of too many wrong credentials. */
  'too many',
] as const;

export type AuthFailureReason = (typeof AUTH_FAILURE_REASONS)[number];

/** Why authentication failed. */
export interface AuthFailure {
  readonly reason: AuthFailureReason;
  /** The id of the presented API key; never its secret. */
  readonly keyId?: string;
}

/**
 * Builds the context again, as a new request of the same caller in the same project would get it.
 * @throws InventoryError 401 or 403, if that request would be rejected; 409 if the session cannot enter the project any more
 */
export type RenewContext = () => Promise<RequestContext>;

/** What is known about one request. */
export interface RequestState {
  /** The client's own `X-Request-Id` if it is well formed, else a new one. */
  id?: string;
  /** The text of a JSON body; a digest if the route reads the body itself. */
  bodyText?: string;
  /** The `Idempotency-Key`, if the response is stored. Set by the access guard. */
  idempotencyKey?: string | undefined;
  /** Absent if the service did not admit the request. */
  activeRequest?: ActiveRequest;
  /** Set by the access guard, even if it rejects the request afterwards. */
  identity?: Identity;
  /** Set by the passport strategies. */
  authFailure?: AuthFailure | undefined;
  /** The error of the database, if it was unavailable. */
  failure?: string;
  /** Set by the access guard; absent on public routes. */
  context?: { readonly ctx: RequestContext; readonly renew: RenewContext };
  /** Set if the service sent the request to itself: see `sendSubrequest`. */
  subrequest?: Subrequest;
}

/** What several requests are sent together for. A proposal can contain writes that a batch cannot. */
export type SubrequestPurpose = 'batch' | 'proposal';

/** What a subrequest inherits, and who takes its result. */
export interface Subrequest {
  readonly ctx: RequestContext;
  readonly purpose: SubrequestPurpose;
  /** Takes what the handler returned. */
  readonly succeed: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

const states = new WeakMap<IncomingMessage, RequestState>();

/** The state of a request. It is garbage-collected together with the request. */
export function requestState(request: IncomingMessage): RequestState {
  let state = states.get(request);
  if (!state) states.set(request, (state = {}));
  return state;
}
