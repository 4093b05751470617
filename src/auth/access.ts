import { InventoryError } from '../core/errors/inventory-error';
import type { Principal, RequestContext } from '../core/context/request-context';

/** What a route asks of its caller, checked by the guard before anything is read. */
export type RouteAccess =
  | { readonly needs: 'nothing' }
  | { readonly needs: 'read' }
  | { readonly needs: 'admin' }
  | { readonly needs: 'root' }
  | { readonly needs: 'self or admin' }
  /** Writes a collection; `orVariables`: a role for a variable may be enough, which the service decides by key. */
  | { readonly needs: 'write'; readonly collection: string; readonly orVariables: boolean };

/** Everybody who is authenticated, within what they can see. */
export const READ: RouteAccess = { needs: 'read' };
/** Admins of the project, and root. */
export const ADMIN: RouteAccess = { needs: 'admin' };
export const ROOT: RouteAccess = { needs: 'root' };
/** Users for themselves; admins for everybody in the project. */
export const SELF_OR_ADMIN: RouteAccess = { needs: 'self or admin' };
/** Whoever may write the collection. */
export const write = (collection: string): RouteAccess => ({
  needs: 'write',
  collection,
  orVariables: false,
});
/** Whoever may write the collection or some variable; the service checks key by key. */
export const writeVariables = (collection: string): RouteAccess => ({
  needs: 'write',
  collection,
  orVariables: true,
});

/**
 * Collections that only admins or root write, whatever the roles say: who writes users could make himself an admin, and
 * who writes settings and definitions rules over everybody's changes.
 */
const ADMINS_ONLY = new Set([
  'projects',
  'project-settings',
  'users',
  'access-secrets',
  'variable-definitions',
]);

/** Whether the roles grant writing a whole collection. */
export function mayWrite(principal: Principal, collection: string): boolean {
  if (principal.isRoot || principal.isAdmin) return true;
  if (ADMINS_ONLY.has(collection)) return false;
  return principal.roles.includes(`${collection}:write`) || principal.roles.includes('*:write');
}

/** A role without a colon is a variable's key, or a prefix of keys followed by `*`. */
export const isVariableRole = (role: string): boolean => !role.includes(':');

const covers = (role: string, key: string): boolean =>
  role.endsWith('*') ? key.startsWith(role.slice(0, -1)) : role === key;

/** As whom somebody asks to write a variable, and which of them that caller sees. */
type Writer = Pick<RequestContext, 'principal' | 'visibility'>;

/**
 * Whether this variable may be written on resources of this collection. A private one takes a role for the variable,
 * whatever the collection's role grants: who does not see a value must not be able to find out by writing either.
 */
export function mayWriteVariable(
  { principal, visibility }: Writer,
  collection: string,
  key: string,
): boolean {
  if (!visibility.sees(key)) return false;
  return (
    mayWrite(principal, collection) ||
    principal.roles.some((role) => isVariableRole(role) && covers(role, key))
  );
}

/** @throws InventoryError 403 */
export function requireWrite(principal: Principal, collection: string): void {
  if (mayWrite(principal, collection)) return;
  throw new InventoryError('forbidden', `Writing ${collection} needs the role ${collection}:write.`);
}

/**
 * Whether the keys that a request names may all be written. It is asked before anything is read: the refusal is the
 * same whether a key is set or not.
 * @throws InventoryError 403 naming the first key that may not be written
 */
export function requireVariableWrite(writer: Writer, collection: string, keys: readonly string[]): void {
  const { principal } = writer;
  const refused = keys.find((key) => !mayWriteVariable(writer, collection, key));
  if (refused === undefined && (keys.length > 0 || mayWrite(principal, collection))) return;
  if (refused === undefined) requireWrite(principal, collection);
  throw new InventoryError(
    'forbidden',
    mayWrite(principal, collection)
      ? `Writing the variable ${JSON.stringify(refused)} needs a role for the variable: it is private.`
      : `Writing the variable ${JSON.stringify(refused)} needs the role ${collection}:write, or one for the variable.`,
  );
}

/** Whether the principal passes a route's guard. What depends on the body or on the row is checked in the service. */
export function maySee(principal: Principal, access: RouteAccess): boolean {
  switch (access.needs) {
    case 'nothing':
    case 'read':
    case 'self or admin':
      return true;
    case 'admin':
      return principal.isAdmin || principal.isRoot;
    case 'root':
      return principal.isRoot;
    case 'write':
      return (
        mayWrite(principal, access.collection) || (access.orVariables && principal.roles.some(isVariableRole))
      );
  }
}
