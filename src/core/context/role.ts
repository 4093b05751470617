import { variableKeyError } from './variable-key';

const COLLECTION_ROLE = /^(\*|[a-z][a-z-]*):write$/;

/**
 * What is wrong with a role, wherever it is from; undefined if nothing is. It is `<collection>:write`, `*:write`, a
 * variable's key, or a prefix of keys followed by `*`.
 */
export function roleError(role: string): string | undefined {
  if (COLLECTION_ROLE.test(role)) return undefined;
  const prefix = role.endsWith('*') ? role.slice(0, -1) : undefined;
  if (prefix === '' || variableKeyError(prefix ?? role) === undefined) return undefined;
  return `${JSON.stringify(role)} is neither <collection>:write nor a variable's key nor a prefix of keys with *`;
}

/** All variables, the private ones included: a user can have it, but nobody gets it by what another service says. */
const ALL_VARIABLES = '*';

/** Whether it is what a user can have as a role, and Keystone may give. */
export const isRole = (role: string): boolean => role !== ALL_VARIABLES && roleError(role) === undefined;
