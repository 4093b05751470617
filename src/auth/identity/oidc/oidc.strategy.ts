import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { InventoryError } from '../../../core/errors/inventory-error';
import { parseUuid } from '../../../core/parameters';
import type { Identity, OidcSession } from '../../../http/request-state';
import { ProjectPolicies } from '../../project-policies';
import {
  authenticationFailed,
  failWithoutCredentials,
  HeaderStrategy,
  parseCredentials,
  resolveProject,
  unauthenticatedError,
} from '../header-strategy';
import { OidcAccess } from './oidc-access';
import { grantedPermissions } from './oidc-claims';
import { OidcTokens } from './oidc-tokens';

/** A JSON Web Token with a signature. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Authenticates access tokens of the OpenID provider. The header for the user is optional but must match; the one for
 * the project is optional if the user has access to one only.
 */
@Injectable()
export class OidcStrategy extends PassportStrategy(HeaderStrategy, 'oidc') {
  constructor(
    private readonly tokens: OidcTokens,
    private readonly access: OidcAccess,
    private readonly policies: ProjectPolicies,
  ) {
    super();
  }

  /**
   * @returns the identity, or false
   * @throws InventoryError 401 for a valid token that does not determine a project, 503 if the provider is unavailable
   */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = parseCredentials(request);
    if (!credentials) return failWithoutCredentials(request);
    if (!TOKEN_PATTERN.test(credentials.token)) return authenticationFailed(request, 'malformed credentials');
    const claims = await this.tokens.verify(credentials.token);
    if (typeof claims === 'string') return authenticationFailed(request, claims);
    const assertion = await this.access.assertionOf(claims);
    if (!assertion) return authenticationFailed(request, 'unknown token');
    const { user, project } = credentials;
    if (user !== undefined && user !== claims['sub'] && !assertion.names.includes(user))
      return authenticationFailed(request, 'user does not match');
    const homeProjectId = homeProject(assertion, project);
    if (homeProjectId === undefined) {
      authenticationFailed(request, 'token without a project');
      throw projectRequired(assertion);
    }
    const { isRoot } = grantedPermissions(assertion.grants, homeProjectId);
    const caller = { homeProjectId, isRoot };
    const projectId = await resolveProject(project ?? homeProjectId, caller, this.policies);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match');
    // The user is registered last, so that a rejected request creates nothing.
    return { principal: await this.access.principalIn(homeProjectId, assertion), projectId };
  }
}

/** The project from which a user makes a request; undefined if the token does not determine one. */
function homeProject({ grants }: OidcSession, named: string | undefined): string | undefined {
  const granted = Object.keys(grants);
  if (named === undefined) return granted.length === 1 ? granted[0] : undefined;
  const projectId = parseUuid(named);
  // A root user can name any project, from any of their own.
  return granted.find((id) => id === projectId) ?? granted[0];
}

/** This error reveals the reason, because the client has proved to have a valid token. */
const projectRequired = ({ grants }: OidcSession): InventoryError =>
  unauthenticatedError(
    Object.keys(grants).length === 0
      ? 'The token is valid, but it gives access to no project.'
      : `The token is valid for several projects: name one in X-Auth-Project (${Object.keys(grants).join(', ')}).`,
  );
