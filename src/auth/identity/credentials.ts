import type { Request } from 'express';
import { headerText } from '../../http/request';

/** The credentials in the headers of a request. */
export interface Credentials {
  readonly token: string;
  readonly user: string | undefined;
  readonly project: string | undefined;
  /** Whether the token is in `Authorization: Bearer`. Then the other headers are optional. */
  readonly bearer: boolean;
}

/**
 * Parses the three `X-Auth-*` headers, or `Authorization: Bearer`.
 * @returns undefined if there is no token, two different tokens, or a `Bearer` without a token
 */
export function credentialsOf(request: Request): Credentials | undefined {
  const { headers } = request;
  const token = headerText(headers['x-auth-token']);
  const authorization = headers.authorization ?? '';
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  // Other schemes are for proxies. A `Bearer` is for Muster, so it must be well-formed and match X-Auth-Token.
  if (bearer === undefined && /^Bearer\b/i.test(authorization)) return undefined;
  if (token !== undefined && bearer !== undefined && token !== bearer) return undefined;
  const anyToken = token ?? bearer;
  if (anyToken === undefined) return undefined;
  return {
    token: anyToken,
    user: headerText(headers['x-auth-user']),
    project: headerText(headers['x-auth-project']),
    bearer: bearer !== undefined,
  };
}
