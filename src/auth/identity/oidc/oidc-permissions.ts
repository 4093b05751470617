import type { Principal } from '../../../core/context/request-context';
import type { OidcSession } from '../../../http/request-state';

/** These words are not roles in Muster. They make a user an admin of the project, or a root user. */
const ADMIN = 'admin';
const ROOT = 'root';

/** The permissions of a user in a project. A user who is root in one project is root. */
export function grantedPermissions(
  grants: OidcSession['grants'],
  projectId: string,
): Pick<Principal, 'isAdmin' | 'isRoot' | 'roles'> {
  const roles = grants[projectId] ?? [];
  const isRoot = Object.values(grants).some((words) => words.includes(ROOT));
  return {
    isAdmin: isRoot || roles.includes(ADMIN),
    isRoot,
    roles: roles.filter((role) => role !== ADMIN && role !== ROOT),
  };
}
