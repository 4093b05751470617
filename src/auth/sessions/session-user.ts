import type { Principal } from '../../core/context/request-context';
import type { OidcSession } from '../../http/request-state';
import { parseUuid } from '../../core/parameters';
import { resolveProject } from '../identity/header-strategy';
import type { OidcAccess } from '../identity/oidc/oidc-access';
import type { ProjectPolicies } from '../project-policies';

/** The user of a session, in a project. */
export interface SessionUser {
  readonly principal: Principal;
  readonly projectId: string;
}

/** The services that decide which projects a session can enter. */
interface SessionAccess {
  readonly policies: ProjectPolicies;
  readonly oidcAccess: OidcAccess | undefined;
}

/** Not registered: the OpenID provider grants the project, but the user has not signed in since, or was deleted there. */
type SessionUserResult = { readonly user: SessionUser } | { readonly reason: 'not registered' | 'no access' };

/**
 * The user of a session in a project that is named by its UUID. A user of an OpenID provider is another one in each project.
 * @param principal the user in any project of the session
 * @returns the user, or why the session cannot enter the project
 */
export async function sessionUserIn(
  project: string,
  principal: Principal,
  oidc: OidcSession | undefined,
  { policies, oidcAccess }: SessionAccess,
): Promise<SessionUserResult> {
  const granted = parseUuid(project);
  if (oidc && granted !== undefined && granted in oidc.grants) {
    // The row of the session proves that this user is registered.
    if (granted === principal.homeProjectId) return { user: { principal, projectId: granted } };
    const registered = await oidcAccess?.registeredPrincipalIn(granted, oidc);
    return registered
      ? { user: { principal: registered, projectId: granted } }
      : { reason: 'not registered' };
  }
  // OIDC_ROLES may have changed since the sign-in.
  if (oidc && !principal.isRoot) return { reason: 'no access' };
  const projectId = await resolveProject(project, principal, policies);
  return projectId === undefined ? { reason: 'no access' } : { user: { principal, projectId } };
}
