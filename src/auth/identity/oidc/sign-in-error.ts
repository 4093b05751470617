import { InventoryError, type ErrorCode } from '../../../core/errors/inventory-error';

/** Why a sign-in at the provider failed, as sign-in pages get it in `error`. */
export const SIGN_IN_ERRORS = {
  provider_unavailable: [
    'unavailable',
    'Nobody can sign in now, because the OpenID provider is unavailable. Retry later.',
  ],
  access_denied: ['forbidden', 'The sign-in was cancelled or denied at the OpenID provider.'],
  no_access: ['forbidden', 'The user of the OpenID provider has access to no project.'],
  expired: [
    'unauthenticated',
    'The sign-in took more than ten minutes, or was started in another browser. Sign in again.',
  ],
  invalid_response: [
    'unauthenticated',
    'The response of the OpenID provider is not valid for this sign-in. Sign in again.',
  ],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, string]>>;

export type SignInFailure = keyof typeof SIGN_IN_ERRORS;

/** A sign-in at the provider failed. */
export class SignInError extends InventoryError {
  constructor(
    readonly failure: SignInFailure,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const [code, message] = SIGN_IN_ERRORS[failure];
    super(code, message, [], {
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="muster"' } : {}),
      ...headers,
    });
  }
}
