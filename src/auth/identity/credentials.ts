import type { Request } from 'express';
import { headerText } from '../../shared/http/request-id';

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
 * @returns undefined if there is no token, or two different ones
 */
export function credentialsOf(request: Request): Credentials | undefined {
  const { headers } = request;
  const token = headerText(headers['x-auth-token']);
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
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
