import type { OidcSettings } from '../identity/oidc/oidc-settings';

/** The injection token of `SignInOptions`. */
export const SIGN_IN_OPTIONS = Symbol('sign-in options');

/** How users can sign in. */
export interface SignInOptions {
  readonly acceptsKeys: boolean;
  readonly oidc: OidcSettings | undefined;
}
