import type { Request } from 'express';
import { Strategy } from 'passport';
import { type AuthFailureReason, type Identity, requestState } from '../../http/request-state';
import { headerText, projectHeader } from '../../http/request';
import { parseUuid } from '../../core/parameters';
import type { ProjectPolicies } from '../project-policies';
import { InventoryError } from '../../core/errors';
import type { IncomingMessage } from 'node:http';

type Verify = (error: unknown, identity: Identity | false) => void;

/** A passport strategy that calls the `validate` method of its Nest provider. */
export class HeaderStrategy extends Strategy {
  constructor(private readonly verify: (request: Request, done: Verify) => void) {
    super();
  }

  override authenticate(request: Request): void {
    this.verify(request, (error, identity) => {
      if (error !== null && error !== undefined) this.error(error);
      else if (identity === false) this.fail(401);
      else this.success(identity);
    });
  }
}

/** The credentials in the headers of a request. */
export interface HeaderCredentials {
  readonly token: string;
  readonly user: string | undefined;
  readonly project: string | undefined;
  /** Whether the token is in `Authorization: Bearer`. Then the other headers are optional. */
  readonly isBearer: boolean;
}

/**
 * Parses the three `X-Auth-*` headers, or `Authorization: Bearer`.
 * @returns undefined if there is no token, two different tokens, or a `Bearer` without a token
 */
export function parseCredentials(request: Request): HeaderCredentials | undefined {
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
    project: projectHeader(request),
    isBearer: bearer !== undefined,
  };
}

/** The caller who accesses a project. */
interface ProjectCaller {
  readonly homeProjectId: string;
  readonly isRoot: boolean;
}

/**
 * Resolves the project that a caller names by its UUID. Users have access to their own project, root to all projects.
 * @returns undefined if the caller has no access
 */
export async function resolveProject(
  named: string,
  { homeProjectId, isRoot }: ProjectCaller,
  policies: ProjectPolicies,
): Promise<string | undefined> {
  const projectId = parseUuid(named);
  if (projectId === undefined || projectId === homeProjectId) return projectId;
  return isRoot && (await policies.get(projectId)) ? projectId : undefined;
}

/** Creates a 401 error with the `WWW-Authenticate` header. */
export const unauthenticatedError = (message: string): InventoryError =>
  new InventoryError('unauthenticated', message, [], { 'www-authenticate': 'Bearer realm="muster"' });

/** Rejects a request whose headers contain no usable token. */
export const failWithoutCredentials = (request: Request): false =>
  authenticationFailed(request, hasNoCredentials(request) ? 'no credentials' : 'malformed credentials');

/** Whether a request has no header with credentials. */
const hasNoCredentials = ({ headers }: Request): boolean =>
  headers['x-auth-token'] === undefined && !/^Bearer\b/i.test(headers.authorization ?? '');

/** Records why a passport strategy rejects a request. @returns what the strategy returns then */
export function authenticationFailed(
  request: IncomingMessage,
  reason: AuthFailureReason,
  keyId?: string,
): false {
  requestState(request).authFailure = keyId === undefined ? { reason } : { reason, keyId };
  return false;
}
