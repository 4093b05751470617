import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { parseUuid } from '../../shared/http/resource-id';
import { ProjectPolicies } from '../project-policies';
import { parseApiKey, secretMatches } from './api-key';
import { credentialsOf, type Credentials } from './credentials';
import { HeaderStrategy } from './header-strategy';
import type { Identity } from './identity';
import { KeyRing, type KeyHolder } from './key-ring';

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
    const presented = credentials && parseApiKey(credentials.token);
    if (!credentials || !presented) return false;
    const holder = await this.keys.holder(presented.keyId);
    if (!holder || !secretMatches(presented.secret, holder.secretHash)) return false;
    return this.identityOf(credentials, holder);
  }

  private async identityOf(credentials: Credentials, { principal }: KeyHolder): Promise<Identity | false> {
    const { user, project, bearer } = credentials;
    if (user === undefined ? !bearer : user !== principal.username) return false;
    if (project === undefined) return bearer ? { principal, projectId: principal.homeProjectId } : false;
    const projectId = parseUuid(project);
    if (projectId === undefined) return false;
    if (projectId === principal.homeProjectId) return { principal, projectId };
    return principal.isRoot && (await this.policies.of(projectId)) ? { principal, projectId } : false;
  }
}
