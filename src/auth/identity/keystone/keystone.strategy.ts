import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { InventoryError } from '../../../core/errors';
import { WrongCredentialsLimiter } from '../../auth-limits';
import { ProjectPolicies } from '../../project-policies';
import {
  authenticationFailed,
  type HeaderCredentials,
  HeaderStrategy,
  parseCredentials,
  resolveProject,
  unauthenticatedError,
} from '../header-strategy';
import type { Identity } from '../../../http/request-state';
import { ExternalUsers } from '../external-users';
import { KEYSTONE_SETTINGS, type KeystoneSettings, mapKeystoneRoles } from './keystone-settings';
import { candidateNames, type KeystoneToken, type NonProjectToken, type ScopedToken } from './keystone-token';
import { KeystoneTokenValidator } from './keystone-token-validator';

/**
 * The format of Keystone tokens. The maximum length allows signed tokens, and fits into 4 KiB, the header limit of some
 * servers. Texts that start like an API key of Muster are not sent to Keystone.
 */
const TOKEN_PATTERN = /^(?!mst_)[A-Za-z0-9._~+/=-]{1,2048}$/;

/**
 * Authenticates Keystone tokens. User and project come from the token; the headers for them are optional but must
 * match.
 */
@Injectable()
export class KeystoneStrategy extends PassportStrategy(HeaderStrategy, 'keystone') {
  constructor(
    private readonly tokens: KeystoneTokenValidator,
    private readonly users: ExternalUsers,
    private readonly policies: ProjectPolicies,
    private readonly wrong: WrongCredentialsLimiter,
    @Inject(KEYSTONE_SETTINGS) private readonly settings: KeystoneSettings,
  ) {
    super();
  }

  /**
   * @returns the identity, or false
   * @throws InventoryError 401 for a token without a project, 429 after too many wrong credentials, 503 if Keystone is
   * unavailable
   */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = parseCredentials(request);
    // The strategy for API keys has stored the reason.
    if (!credentials || !TOKEN_PATTERN.test(credentials.token)) return false;
    const token = await this.validateToken(credentials, request);
    if (!token) return authenticationFailed(request, 'unknown token');
    if (!('project' in token)) {
      authenticationFailed(request, 'token without a project');
      throw projectScopeRequired(token);
    }
    if (credentials.user !== undefined && !matchesUser(token, credentials.user))
      return authenticationFailed(request, 'user does not match');
    const rights = mapKeystoneRoles(token, this.settings);
    const homeProjectId = token.project.id;
    const { project = homeProjectId } = credentials;
    const projectId = await resolveProject(project, { homeProjectId, isRoot: rights.isRoot }, this.policies);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match');
    // The user is registered last, so that a rejected request creates nothing.
    const { id: userId, username } = await this.users.findOrRegister({
      provider: 'keystone',
      id: token.user.id,
      names: candidateNames(token.user),
      defaultName: token.user.id,
      project: { id: homeProjectId, names: candidateNames(token.project) },
    });
    return { principal: { userId, username, homeProjectId, ...rights }, projectId };
  }

  private async validateToken(
    { token }: HeaderCredentials,
    request: Request,
  ): Promise<KeystoneToken | undefined> {
    if (this.tokens.isCached(token)) return this.tokens.validateToken(token);
    return this.wrong.runLimited(request, () => this.tokens.validateToken(token));
  }
}

/** Whether a name is the id of the user in Keystone, or one of the names that it can have in Muster. */
const matchesUser = ({ user }: ScopedToken, name: string): boolean =>
  name === user.id || name === user.name || candidateNames(user).includes(name);

/** This error reveals the reason, because the client has proved to have a valid token. */
const projectScopeRequired = ({ scope }: NonProjectToken): InventoryError =>
  unauthenticatedError(
    `The Keystone token is valid, but it is ${scope}: get one for a project (OS_PROJECT_NAME or OS_PROJECT_ID).`,
  );
