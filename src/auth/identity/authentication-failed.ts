import type { IncomingMessage } from 'node:http';
import { requestState, type AuthFailureReason } from '../../http/request-state';

/** Records why a passport strategy rejects a request. @returns what the strategy returns then */
export function authenticationFailed(
  request: IncomingMessage,
  reason: AuthFailureReason,
  keyId?: string,
): false {
  requestState(request).authFailure = keyId === undefined ? { reason } : { reason, keyId };
  return false;
}
