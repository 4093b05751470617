import type { Request } from 'express';

/** Why a request is not authenticated. Its sender never learns it: the log and METRICS_PORT show it. */
export const REASONS = [
  'no credentials',
  /** Two different tokens, a `Bearer` without one, or what no key looks like. */
  'malformed credentials',
  'unknown key',
  'wrong secret',
  'revoked key',
  'expired key',
  /** `X-Auth-User` is missing, or names somebody else than the key's holder. */
  'user does not match',
  'project does not match',
  /** Whoever vouches for tokens does not vouch for this one. */
  'unknown token',
  'token without a project',
  'not told',
  /** Answered with 429, because so many were wrong before. */
  'too many',
] as const;

export type Reason = (typeof REASONS)[number];

/** What is known of a request that is not authenticated. */
export interface Refusal {
  readonly reason: Reason;
  /** Of a key that was presented; never its secret. */
  readonly keyId?: string;
}

const refusals = new WeakMap<Request, Refusal>();

/** Notes why a strategy refuses a request. @returns what the strategy then gives */
export function refused(request: Request, reason: Reason, keyId?: string): false {
  refusals.set(request, keyId === undefined ? { reason } : { reason, keyId });
  return false;
}

/** Notes that another strategy knows who asks. */
export const accepted = (request: Request): boolean => refusals.delete(request);

/** Why a request is not authenticated; undefined if it is, or if no strategy has told. */
export const refusalOf = (request: Request): Refusal | undefined => refusals.get(request);
