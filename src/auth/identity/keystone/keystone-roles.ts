import type { Principal } from '../../../core/context/request-context';
import { isRole } from '../../../core/context/role';
import type { ScopedToken } from './keystone-token';
import { matchesDomain, matchesProject, type KeystoneSettings } from './keystone-settings';

/** The permissions of a token. */
type Permissions = Pick<Principal, 'isAdmin' | 'isRoot' | 'roles'>;

/** This role is not a role in Muster. It makes the user an admin of the project of the token. */
const ADMIN = 'admin';

/**
 * Default roles of Keystone, which most users have. They are ignored, because Muster would read them as roles for
 * variables with these keys.
 */
const DEFAULT_ROLES = new Set(['reader', 'member', 'manager', 'service']);

/**
 * Maps the roles of a token to permissions in Muster. First, the settings map roles. Then `admin` makes the user an
 * admin of the project, or root in the configured admin project. Other valid roles of Muster are kept.
 */
export function mapKeystoneRoles(
  { project, roles }: Pick<ScopedToken, 'project' | 'roles'>,
  settings: Pick<KeystoneSettings, 'adminProject' | 'adminProjectDomain' | 'roles'>,
): Permissions {
  const mappedRoles = roles.flatMap((role) => {
    // Keystone policies also ignore the case of roles.
    const name = role.toLowerCase();
    const mapped = settings.roles.get(name);
    if (mapped) return mapped;
    if (name === ADMIN) return [ADMIN];
    return DEFAULT_ROLES.has(name) ? [] : [role];
  });
  const isAdmin = mappedRoles.includes(ADMIN);
  return {
    isAdmin,
    isRoot:
      isAdmin &&
      matchesProject(settings.adminProject, project) &&
      matchesDomain(settings.adminProjectDomain, project.domain),
    roles: [...new Set(mappedRoles)].filter((role) => role !== ADMIN && isRole(role)),
  };
}
