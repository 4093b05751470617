import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { InventoryError } from '../../../core/errors/inventory-error';
import { WrongCredentials } from '../../limits/wrong-credentials-limit';
import { ProjectPolicies } from '../../project-policies';
import { authenticationFailed } from '../authentication-failed';
import { credentialsOf, type Credentials } from '../credentials';
import { enteredProject } from '../resolve-project';
import { HeaderStrategy } from '../header-strategy';
import type { Identity } from '../../../http/request-state';
import { unauthenticated } from '../unauthenticated-error';
import { KEYSTONE, type KeystoneSettings } from './keystone-settings';
import type { KeystoneToken, OtherToken, ScopedToken } from './keystone-token';
import { KeystoneTokens } from './keystone-token-validator';
import { KeystoneUsers, namesOf } from './keystone-users';
import { rightsOf } from './keystone-roles';

/**
 * What can be a token of Keystone's: what a header can carry, with room for signed ones, and short enough for the 4 KiB in
 * which some servers want all headers. A key of Muster's, however misspelt, is not shown to anybody else.
 */
const TOKEN = /^(?!mst_)[A-Za-z0-9._~+/=-]{1,2048}$/;

/** Tokens of an OpenStack Keystone. Who and where follows from the token; headers that say so, too, have to agree. */
@Injectable()
export class KeystoneStrategy extends PassportStrategy(HeaderStrategy, 'keystone') {
  constructor(
    private readonly tokens: KeystoneTokens,
    private readonly users: KeystoneUsers,
    private readonly policies: ProjectPolicies,
    private readonly wrong: WrongCredentials,
    @Inject(KEYSTONE) private readonly settings: KeystoneSettings,
  ) {
    super();
  }

  /**
   * @returns who it is and in which project, or false
   * @throws InventoryError 401 that says which tokens are wanted, 429 for who was wrong too often, 503 if Keystone cannot be asked
   */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = credentialsOf(request);
    // Then it is as the strategy of keys says.
    if (!credentials || !TOKEN.test(credentials.token)) return false;
    const token = await this.tokenOf(credentials, request);
    if (!token) return authenticationFailed(request, 'unknown token');
    if (!('project' in token)) {
      authenticationFailed(request, 'token without a project');
      throw notForAProject(token);
    }
    if (credentials.user !== undefined && !isCalled(token, credentials.user))
      return authenticationFailed(request, 'user does not match');
    const rights = rightsOf(token, this.settings);
    const homeProjectId = token.project.id;
    const { project = homeProjectId } = credentials;
    const projectId = await enteredProject(project, { homeProjectId, isRoot: rights.isRoot }, this.policies);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match');
    // Only now: a request that is refused makes nobody.
    const { id: userId, username } = await this.users.of(token);
    return { principal: { userId, username, homeProjectId, ...rights }, projectId };
  }

  private async tokenOf({ token }: Credentials, request: Request): Promise<KeystoneToken | undefined> {
    if (this.tokens.knows(token)) return this.tokens.of(token);
    return this.wrong.sparingly(request, () => this.tokens.of(token));
  }
}

/** Whether a user is called so in Keystone, or may be called so here. */
const isCalled = ({ user }: ScopedToken, name: string): boolean =>
  name === user.id || namesOf(user).includes(name);

/** Who bears the token may know what is wrong with it; who does not learns nothing. */
const notForAProject = ({ scope }: OtherToken): InventoryError =>
  unauthenticated(
    `The Keystone token is valid, but it is ${scope}: get one for a project (OS_PROJECT_NAME or OS_PROJECT_ID).`,
  );
