import type { Request } from 'express';
import { packSealed, unpackSealed, type SecretBox } from '../../../core/secret-box';
import { readCookie, setCookie } from '../../sessions/session-cookie';

/** What the service has to know when the provider sends the browser back. */
export interface SignInState {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly codeVerifier: string;
  /** Where the browser goes afterwards. */
  readonly returnTo: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The time to sign in at the provider. */
export const SIGN_IN_SECONDS = 600;

/** The owner of the encrypted text. */
const OWNER = 'sign-in with OpenID Connect';

const cookieName = (base: string): string => `${base.startsWith('https:') ? '__Host-' : ''}muster-sign-in`;

/**
 * The `Set-Cookie` header that keeps the state in the browser until the provider sends it back. It is encrypted, and
 * valid for every process, because all of them have the same key. It is `Lax`, because the provider is another site.
 */
export const signInCookie = (base: string, state: SignInState, box: SecretBox): string =>
  setCookie(cookieName(base), packSealed(box.seal(JSON.stringify(state), OWNER)).toString('base64url'), {
    base,
    maxAgeSeconds: SIGN_IN_SECONDS,
    sameSite: 'Lax',
  });

/** The `Set-Cookie` header that removes the state. */
export const endSignInCookie = (base: string): string =>
  setCookie(cookieName(base), '', { base, maxAgeSeconds: 0, sameSite: 'Lax' });

/** @returns undefined if the browser sends no state, a forged one, or one that has expired */
export function readSignInState(request: Request, base: string, box: SecretBox): SignInState | undefined {
  const sealed = unpackSealed(
    Buffer.from(readCookie(request.headers.cookie, cookieName(base)) ?? '', 'base64url'),
  );
  if (!box.canOpen(sealed)) return undefined;
  let text: string;
  try {
    text = box.open(sealed, OWNER);
  } catch {
    // Authenticated decryption fails for everything that was not encrypted with this key.
    return undefined;
  }
  const state = JSON.parse(text) as SignInState;
  return Date.now() < state.expiresAt ? state : undefined;
}
