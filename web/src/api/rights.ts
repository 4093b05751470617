import type { components } from '@muster/api-types';
import { ADMIN_COLLECTIONS, canBeProposed } from './proposable';

type User = Pick<components['schemas']['Session']['user'], 'is_admin' | 'is_root' | 'roles'>;

/** What a write needs: the role of a collection, or one for each of the variables. */
export interface NeededRight {
  readonly collection: string;
  /** The variables that it writes, and nothing else. Empty while they are not known: any role for variables may do. */
  readonly keys?: readonly string[];
}

/** A right that the user does not have. */
export interface MissingRight {
  /** The roles of which one would do. */
  readonly roles: readonly string[];
  /** Whether the user can propose the write instead. */
  readonly canPropose: boolean;
  /** Both in a sentence. */
  readonly message: string;
}

/** What the user lacks for one of several writes that are done together; undefined if the roles suffice for all. */
export const firstMissingRight = (user: User, needed: readonly NeededRight[]): MissingRight | undefined =>
  needed.map((one) => missingRight(user, one)).find((missing) => missing !== undefined);

/** Whether a role lets users write variables, and is not the right of a collection. */
export const isOfVariables = (role: string): boolean => !role.includes(':');

const covers = (role: string, key: string): boolean =>
  role.endsWith('*') ? key.startsWith(role.slice(0, -1)) : role === key;

/**
 * What the user lacks for a write; undefined if the roles suffice. The service decides in the end: a private variable needs a role
 * of its own, and rules can demand approvals.
 */
export function missingRight(user: User, { collection, keys }: NeededRight): MissingRight | undefined {
  const { is_admin, is_root, roles } = user;
  if (is_admin || is_root) return undefined;
  if (ADMIN_COLLECTIONS.has(collection)) return missing(['admin'], collection);
  if (roles.includes('*:write') || roles.includes(`${collection}:write`)) return undefined;
  const ofVariables = roles.filter(isOfVariables);
  if (keys === undefined) return missing([`${collection}:write`], collection);
  if (keys.length === 0 && ofVariables.length > 0) return undefined;
  const denied = keys.filter((key) => !ofVariables.some((role) => covers(role, key)));
  if (keys.length > 0 && denied.length === 0) return undefined;
  return missing([`${collection}:write`, ...denied], collection);
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });

function missing(roles: readonly string[], collection: string): MissingRight {
  const canPropose = canBeProposed({ path: `/v1/${collection}` });
  const needed = `You need the role ${either.format(roles)} for this.`;
  return { roles, canPropose, message: canPropose ? `${needed} You can propose it.` : needed };
}
