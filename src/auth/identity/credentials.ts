import type { Request } from 'express';
import { headerText } from '../../http/request';

/** What a request says of its sender. `X-Auth-*` members are absent where the header is. */
export interface Credentials {
  readonly token: string;
  readonly user: string | undefined;
  readonly project: string | undefined;
  /** Whether the token came as `Authorization: Bearer`, which alone is enough. */
  readonly bearer: boolean;
}

/**
 * Reads the three `X-Auth-*` headers, or `Authorization: Bearer`.
 * @returns undefined if there is no token, two different ones, or a `Bearer` that holds none
 */
export function credentialsOf(request: Request): Credentials | undefined {
  const { headers } = request;
  const token = headerText(headers['x-auth-token']);
  const authorization = headers.authorization ?? '';
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  // Another scheme is for somebody on the way; this one is for Muster, and has to agree.
  if (bearer === undefined && /^Bearer\b/i.test(authorization)) return undefined;
  if (token !== undefined && bearer !== undefined && token !== bearer) return undefined;
  const presented = token ?? bearer;
  if (presented === undefined) return undefined;
  return {
    token: presented,
    user: headerText(headers['x-auth-user']),
    project: headerText(headers['x-auth-project']),
    bearer: bearer !== undefined,
  };
}
