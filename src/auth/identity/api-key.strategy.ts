import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { Principal } from '../../core/context/request-context';
import { ProjectPolicies } from '../project-policies';
import {
  authenticationFailed,
  failWithoutCredentials,
  type HeaderCredentials,
  HeaderStrategy,
  parseCredentials,
  resolveProject,
} from './header-strategy';
import { parseApiKey, isSecretValid } from './api-key';
import type { AuthFailureReason, Identity } from '../../http/request-state';
import { ApiKeyCache, type ApiKeyOwner } from './api-key-cache';

/** Authenticates API keys of Muster. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderStrategy, 'api-key') {
  constructor(
    private readonly keys: ApiKeyCache,
    private readonly policies: ProjectPolicies,
  ) {
    super();
  }

  /** @returns the identity, or false; the reason of a failure is only logged */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = parseCredentials(request);
    if (!credentials) return failWithoutCredentials(request);
    const apiKey = parseApiKey(credentials.token);
    if (!apiKey) return authenticationFailed(request, 'malformed credentials');
    const { keyId, secret } = apiKey;
    const owner = await this.keys.findOwner(keyId, credentials.project);
    const failure = findFailure(owner, secret);
    if (!owner || failure) return authenticationFailed(request, failure ?? 'unknown key', keyId);
    const { principal } = owner;
    const { user, isBearer } = credentials;
    if (user === undefined ? !isBearer : user !== principal.username)
      return authenticationFailed(request, 'user does not match', keyId);
    const projectId = await this.findProject(credentials, principal);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match', keyId);
    return { principal, projectId, key: { id: keyId, expiresAt: owner.expiresAt } };
  }

  /** The project of a request; undefined if the caller has no access to it. */
  private async findProject(
    { project, isBearer }: HeaderCredentials,
    principal: Principal,
  ): Promise<string | undefined> {
    if (project === undefined) return isBearer ? principal.homeProjectId : undefined;
    return resolveProject(project, principal, this.policies);
  }
}

/** Why a key is not valid. The secret is checked first, so that only its owner learns that a key existed. */
function findFailure(owner: ApiKeyOwner | undefined, secret: string): AuthFailureReason | undefined {
  if (!owner) return 'unknown key';
  if (!isSecretValid(secret, owner.secretHash)) return 'wrong secret';
  if (owner.isRevoked) return 'revoked key';
  return owner.expiresAt !== null && Date.parse(`${owner.expiresAt}Z`) <= Date.now()
    ? 'expired key'
    : undefined;
}
