import { variableKeyError } from './variable-keys';

const COLLECTION_ROLE = /^(\*|[a-z][a-z-]*):write$/;

/**
 * Why a role is invalid; undefined if it is valid. A valid role is `<collection>:write`, `*:write`, the key of a
 * variable, or a prefix of keys followed by `*`.
 */
export function roleError(role: string): string | undefined {
  if (COLLECTION_ROLE.test(role)) return undefined;
  const prefix = role.endsWith('*') ? role.slice(0, -1) : undefined;
  if (prefix === '' || variableKeyError(prefix ?? role) === undefined) return undefined;
  return `${JSON.stringify(role)} is neither <collection>:write nor a variable's key nor a prefix of keys with *`;
}

/** All variables, including private ones. Users can have this role, but nothing maps to it. */
const ALL_VARIABLES = '*';

/** Whether `KEYSTONE_ROLES` and `OIDC_ROLES` can map to this role. */
export const isRole = (role: string): boolean => role !== ALL_VARIABLES && roleError(role) === undefined;
