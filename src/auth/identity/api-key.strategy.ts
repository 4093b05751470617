import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { Principal } from '../../core/context/request-context';
import { ProjectPolicies } from '../project-policies';
import { authenticationFailed } from './authentication-failed';
import { parseApiKey, secretMatches } from './api-key';
import { credentialsOf, type Credentials } from './credentials';
import { enteredProject } from './resolve-project';
import { HeaderStrategy } from './header-strategy';
import type { AuthFailureReason, Identity } from '../../http/request-state';
import { KeyRing, type KeyHolder } from './api-key-cache';

/** Local identity: API keys in Muster's own database. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderStrategy, 'api-key') {
  constructor(
    private readonly keys: KeyRing,
    private readonly policies: ProjectPolicies,
  ) {
    super();
  }

  /** @returns who it is and in which project, or false: the reasons are many, the answer is one. */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = credentialsOf(request);
    if (!credentials)
      return authenticationFailed(request, isSilent(request) ? 'no credentials' : 'malformed credentials');
    const presented = parseApiKey(credentials.token);
    if (!presented) return authenticationFailed(request, 'malformed credentials');
    const { keyId, secret } = presented;
    const holder = await this.keys.holder(keyId);
    const fault = faultOf(holder, secret);
    if (!holder || fault) return authenticationFailed(request, fault ?? 'unknown key', keyId);
    const { principal } = holder;
    const { user, bearer } = credentials;
    if (user === undefined ? !bearer : user !== principal.username)
      return authenticationFailed(request, 'user does not match', keyId);
    const projectId = await this.projectOf(credentials, principal);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match', keyId);
    return { principal, projectId, key: { id: keyId, expiresAt: holder.expiresAt } };
  }

  /** The project in which a request asks; undefined if its sender has no place there. */
  private async projectOf(
    { project, bearer }: Credentials,
    principal: Principal,
  ): Promise<string | undefined> {
    if (project === undefined) return bearer ? principal.homeProjectId : undefined;
    return enteredProject(project, principal, this.policies);
  }
}

/** Whether a request says nothing that could be credentials. */
const isSilent = ({ headers }: Request): boolean =>
  headers['x-auth-token'] === undefined && !/^Bearer\b/i.test(headers.authorization ?? '');

/** What is wrong with a key. Whether it ever held is told of those alone who have its secret. */
function faultOf(holder: KeyHolder | undefined, secret: string): AuthFailureReason | undefined {
  if (!holder) return 'unknown key';
  if (!secretMatches(secret, holder.secretHash)) return 'wrong secret';
  if (holder.isRevoked) return 'revoked key';
  return holder.expiresAt !== null && Date.parse(`${holder.expiresAt}Z`) <= Date.now()
    ? 'expired key'
    : undefined;
}
