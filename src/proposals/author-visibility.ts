import { isVariableRole } from '../auth/access';
import type { ProjectPolicy } from '../auth/project-policies';
import type { Principal } from '../core/context/request-context';
import { Visibility } from '../core/context/variable-keys';

/** What somebody sees of a project. @param sees roles for variables; null for everything */
export const visibilityOf = (
  policy: ProjectPolicy | undefined,
  sees: readonly string[] | null,
): Visibility => {
  const hidden = policy?.privateKeys ?? [];
  return sees === null || hidden.length === 0 ? Visibility.ALL : new Visibility(hidden, sees);
};

/** The roles of a user for variables; null for a user who sees all variables. */
export const variableRolesOf = ({ isAdmin, isRoot, roles }: Principal): string[] | null =>
  isAdmin || isRoot ? null : roles.filter(isVariableRole);
