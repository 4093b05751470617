import type { Principal } from '../../../core/context/request-context';
import { isRole } from '../../../core/context/role';
import type { ScopedToken } from './keystone-token';
import { isDomain, isNamed, type KeystoneSettings } from './keystone-settings';

/** What a token lets its bearer do. */
type Rights = Pick<Principal, 'isAdmin' | 'isRoot' | 'roles'>;

/** The role that is no role here, but makes an admin of the token's project. */
const ADMIN = 'admin';

/**
 * What every Keystone has, and gives to almost everybody. Taken as they are they would be the names of variables that
 * their bearers may write.
 */
const STANDARD = new Set(['reader', 'member', 'manager', 'service']);

/**
 * What the roles of a token are here: first they become what the settings map them to, and what then is `admin` makes an
 * admin of the project, or root if the project is the deployment's own. Others that are roles here pass as they are.
 */
export function rightsOf(
  { project, roles }: Pick<ScopedToken, 'project' | 'roles'>,
  settings: Pick<KeystoneSettings, 'adminProject' | 'adminProjectDomain' | 'roles'>,
): Rights {
  const here = roles.flatMap((role) => {
    // As Keystone's own policies read them.
    const known = role.toLowerCase();
    const mapped = settings.roles.get(known);
    if (mapped) return mapped;
    if (known === ADMIN) return [ADMIN];
    return STANDARD.has(known) ? [] : [role];
  });
  const isAdmin = here.includes(ADMIN);
  return {
    isAdmin,
    isRoot:
      isAdmin &&
      isNamed(settings.adminProject, project) &&
      isDomain(settings.adminProjectDomain, project.domain),
    roles: [...new Set(here)].filter((role) => role !== ADMIN && isRole(role)),
  };
}
