import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { parseUuid } from '../../core/parameters';

/** Identifies a session. It contains no secret. */
export interface SessionId {
  /** The home project of the user. */
  readonly projectId: string;
  /** SHA-256 of the secret, in hexadecimal digits. It is sufficient because the secret has 256 random bits. */
  readonly tokenHash: string;
}

/** A new session token, `<project without dashes>.<secret>`, and the id of its session. */
export interface NewSessionToken extends SessionId {
  readonly token: string;
}

const TOKEN_PATTERN = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function generateSessionToken(projectId: string): NewSessionToken {
  const secret = randomBytes(32).toString('base64url');
  return {
    token: `${projectId.replaceAll('-', '')}.${secret}`,
    projectId,
    tokenHash: hashSecret(secret),
  };
}

/** @returns undefined if the text is not a session token */
export function parseSessionToken(text: string): SessionId | undefined {
  const [, project = '', secret] = TOKEN_PATTERN.exec(text) ?? [];
  const projectId = parseUuid(project);
  if (projectId === undefined || secret === undefined) return undefined;
  return { projectId, tokenHash: hashSecret(secret) };
}

/** The id as one text, as `CallerSession` has it. */
export const sessionIdText = ({ projectId, tokenHash }: SessionId): string => `${projectId} ${tokenHash}`;

export function parseSessionId(text: string): SessionId {
  const [projectId = '', tokenHash = ''] = text.split(' ');
  return { projectId, tokenHash };
}

/**
 * The name of the cookie. With TLS, its prefix makes browsers reject a cookie that another host or an unencrypted page
 * has set. Without TLS, browsers do not accept the prefix.
 */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-muster' : 'muster');

const ANY_COOKIE = /(?:^|;)\s*(?:__Host-)?muster=/;

const isSecure = (base: string): boolean => base.startsWith('https:');

/** The first cookie with a name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The token in the session cookie of a request. @param base scheme and authority of the service's URLs */
export const sessionCookie = ({ headers }: Request, base: string): string | undefined =>
  readCookie(headers.cookie, cookieName(isSecure(base)));

/** The id of the session in the cookie of a request, valid or not. */
export function presentedSessionId(request: Request, base: string): string | undefined {
  const id = parseSessionToken(sessionCookie(request, base) ?? '');
  return id && sessionIdText(id);
}

/** Whether a request has a session cookie, valid or not. */
export const hasSessionCookie = ({ headers }: Pick<Request, 'headers'>): boolean =>
  ANY_COOKIE.test(headers.cookie ?? '');

/** The attributes of a cookie that scripts cannot read. */
interface CookieOptions {
  readonly base: string;
  readonly maxAgeSeconds: number;
  readonly sameSite: 'Strict' | 'Lax';
}

/** The value of a `Set-Cookie` header. */
export const setCookie = (
  name: string,
  value: string,
  { base, maxAgeSeconds, sameSite }: CookieOptions,
): string =>
  `${name}=${value}; Path=/; Max-Age=${String(maxAgeSeconds)}; HttpOnly; SameSite=${sameSite}${isSecure(base) ? '; Secure' : ''}`;

/** The `Set-Cookie` header that starts a session. @param expiresAt in UTC */
export const startingCookie = (base: string, token: string, expiresAt: string): string =>
  setCookie(cookieName(isSecure(base)), token, {
    base,
    maxAgeSeconds: Math.max(0, Math.floor((Date.parse(`${expiresAt}Z`) - Date.now()) / 1000)),
    sameSite: 'Strict',
  });

/** The `Set-Cookie` header that ends a session. */
export const endingCookie = (base: string): string =>
  setCookie(cookieName(isSecure(base)), '', { base, maxAgeSeconds: 0, sameSite: 'Strict' });

/**
 * Whether a request comes from a page of this service. Browsers set these headers, and pages cannot.
 * @param base scheme and authority of the service's URLs
 */
export function isSameOrigin({ headers }: Request, base: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === new URL(base).origin : site === 'same-origin';
}
