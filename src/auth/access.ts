import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { InventoryError, missingRoles } from '../core/errors';
import { parseId } from '../core/parameters';
import type { Principal, RequestContext } from '../core/context/request-context';
import { idempotencyOf } from '../http/request';
import { requestState, type RenewContext } from '../http/request-state';

/** What a project can deny to users without roles: see `assertUnrestricted`. */
export type Restriction = 'history' | 'other users' | 'new keys';

/** The access that a route requires. The guard checks it before the request is processed. */
export type RouteAccess =
  | { readonly needs: 'nothing' }
  | { readonly needs: 'read'; readonly restriction?: Restriction }
  | { readonly needs: 'admin' }
  | { readonly needs: 'root' }
  | { readonly needs: 'self or admin'; readonly restriction?: Restriction }
  /** Writes a collection. `orVariables`: a role for a variable can be enough; the service checks it for each key. */
  | { readonly needs: 'write'; readonly collection: string; readonly orVariables: boolean };

/** Any authenticated caller. Visibility limits what the response contains. */
export const READ: RouteAccess = { needs: 'read' };
/** Like `READ`, for change records. Projects can deny them to users without roles. */
export const READ_HISTORY: RouteAccess = { needs: 'read', restriction: 'history' };
/** Like `READ`, for users. Projects can restrict users without roles to themselves. */
export const READ_USERS: RouteAccess = { needs: 'read', restriction: 'other users' };
/** Admins of the project, and root. */
export const ADMIN: RouteAccess = { needs: 'admin' };
export const ROOT: RouteAccess = { needs: 'root' };
/** The user themselves, admins of the project, and root. */
export const SELF_OR_ADMIN: RouteAccess = { needs: 'self or admin' };
/** Like `SELF_OR_ADMIN`, for new keys. Projects can deny them to users without roles. */
export const CREATE_KEY: RouteAccess = { needs: 'self or admin', restriction: 'new keys' };
/** Callers with a role to write the collection. */
export const write = (collection: string): RouteAccess => ({
  needs: 'write',
  collection,
  orVariables: false,
});
/** Callers with a role to write the collection or any variable. The service checks each key. */
export const writeVariables = (collection: string): RouteAccess => ({
  needs: 'write',
  collection,
  orVariables: true,
});

/**
 * Collections that only admins and root can write, regardless of roles. A writer of users could become an admin.
 * Settings and definitions restrict the changes of all users.
 */
const ADMIN_COLLECTIONS: ReadonlySet<string> = new Set([
  'projects',
  'project-settings',
  'users',
  'access-secrets',
  'variable-definitions',
]);

/** Proposing is no write of the inventory: it needs no role, and no approval. */
const PROPOSALS = 'proposals';

/** The word for what admins and root users are allowed, where errors name roles. `*_ROLES` of providers use it, too. */
const ADMIN_ROLE = 'admin';
const ROOT_ROLE = 'root';

/** The role that allows writing all collections of the inventory. */
const ALL_COLLECTIONS = '*:write';

/** Whether roles for a collection allow writing it, and rules for approvals govern it. */
export const isInventoryCollection = (collection: string): boolean =>
  !ADMIN_COLLECTIONS.has(collection) && collection !== PROPOSALS;

/** Whether a route writes the inventory, which roles for its collections allow. */
export const isInventoryWrite = (access: RouteAccess): boolean =>
  access.needs === 'write' && !ADMIN_COLLECTIONS.has(access.collection);

/** What a caller needs to write a collection. */
export const roleOfCollection = (collection: string): string =>
  ADMIN_COLLECTIONS.has(collection) ? ADMIN_ROLE : `${collection}:write`;

/** Whether the caller may write a whole collection. */
export function canWrite(principal: Principal, collection: string): boolean {
  if (principal.isRoot || principal.isAdmin) return true;
  if (ADMIN_COLLECTIONS.has(collection)) return false;
  return principal.roles.includes(`${collection}:write`) || principal.roles.includes(ALL_COLLECTIONS);
}

/**
 * The context for previewing a write as if the caller had the roles for it: a user who proposes a write need not be allowed to
 * do it. Everything else stays: the caller sees the same projects and variables, cannot write hidden ones, and does not
 * become an admin. A write that is prepared with it cannot be committed.
 */
export const withoutRoleChecks = (ctx: RequestContext): RequestContext => ({
  ...ctx,
  skipsRoleChecks: true,
  principal: { ...ctx.principal, roles: [...ctx.principal.roles, ALL_COLLECTIONS] },
});

/** The inverse of `withoutRoleChecks`: the caller has only their own roles, and what they write can be committed. */
export const withRoleChecks = (ctx: RequestContext): RequestContext =>
  ctx.skipsRoleChecks === true
    ? {
        ...ctx,
        skipsRoleChecks: false,
        principal: { ...ctx.principal, roles: ctx.principal.roles.slice(0, -1) },
      }
    : ctx;

/** Whether a user can write nothing without a proposal. The setting `restricts_readers` is about these. */
export const hasNoRoles = ({ isAdmin, isRoot, roles }: Principal): boolean =>
  !isAdmin && !isRoot && roles.length === 0;

/** A role without a colon is the key of a variable, or a prefix of keys followed by `*`. */
export const isVariableRole = (role: string): boolean => !role.includes(':');

const matchesKey = (role: string, key: string): boolean =>
  role.endsWith('*') ? key.startsWith(role.slice(0, -1)) : role === key;

/** The caller who writes a variable. */
type Writer = Pick<RequestContext, 'principal' | 'visibility'>;

/**
 * Whether the caller may write a variable on resources of a collection. A private variable requires a role for the
 * variable, even with the role of the collection: otherwise callers could guess a hidden value by writing.
 */
function canWriteVariable({ principal, visibility }: Writer, collection: string, key: string): boolean {
  if (!visibility.sees(key)) return false;
  return (
    canWrite(principal, collection) ||
    principal.roles.some((role) => isVariableRole(role) && matchesKey(role, key))
  );
}

/** @throws InventoryError 403 */
export function assertCanWrite(principal: Principal, collection: string): void {
  if (canWrite(principal, collection)) return;
  throw InventoryError.forbidden(
    ADMIN_COLLECTIONS.has(collection)
      ? `Only admins can write ${collection}.`
      : `Writing ${collection} needs the role ${collection}:write.`,
    [roleOfCollection(collection)],
  );
}

/**
 * Checks all keys that a request writes. The check precedes any read, so the error does not depend on whether a key is
 * set.
 * @throws InventoryError 403 that names the first key that the caller may not write
 */
export function assertCanWriteVariables(writer: Writer, collection: string, keys: readonly string[]): void {
  const { principal } = writer;
  const deniedKey = keys.find((key) => !canWriteVariable(writer, collection, key));
  if (deniedKey === undefined) {
    if (keys.length === 0) assertCanWrite(principal, collection);
    return;
  }
  const variable = `Writing the variable ${JSON.stringify(deniedKey)}`;
  if (canWrite(principal, collection))
    throw InventoryError.forbidden(`${variable} needs a role for the variable: it is private.`, [deniedKey]);
  const roles = ADMIN_COLLECTIONS.has(collection)
    ? 'a role for the variable'
    : `the role ${collection}:write, or one for the variable`;
  throw InventoryError.forbidden(`${variable} needs ${roles}.`, [roleOfCollection(collection), deniedKey]);
}

/** Whether a principal passes the guard of a route. Services check what depends on the body or the resource. */
export function hasAccess(principal: Principal, access: RouteAccess): boolean {
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
        canWrite(principal, access.collection) || (access.orVariables && principal.roles.some(isVariableRole))
      );
  }
}

const NO_ACCESS_DECLARED = 'This route declares no access.';

/** The caller is authenticated, but their roles do not allow the route. The message names what the route requires. */
export class AccessDeniedError extends InventoryError {
  /** What the route requires, for the audit log. */
  readonly needed: string;

  constructor(access: RouteAccess | undefined, message = access ? deniedText(access) : NO_ACCESS_DECLARED) {
    super('forbidden', message, access ? missingRoles(message, rolesFor(access)) : []);
    this.needed = access ? requiredRole(access) : 'the route declares no access';
  }
}

function deniedText(access: RouteAccess): string {
  switch (access.needs) {
    case 'root':
      return 'Only a root user can do this.';
    case 'write':
      return ADMIN_COLLECTIONS.has(access.collection)
        ? `Only admins${access.orVariables ? ', and users with a role for the variable,' : ''} can write ${access.collection}.`
        : `This needs the role ${requiredRole(access)}.`;
    default:
      return 'Only an admin of the project can do this.';
  }
}

/** The roles of which one is enough. A route that needs no role is denied to users who have none: see `restricts_readers`. */
export function rolesFor(access: RouteAccess): readonly string[] {
  if (access.needs === 'write') return [roleOfCollection(access.collection)];
  return [access.needs === 'root' ? ROOT_ROLE : ADMIN_ROLE];
}

function requiredRole(access: RouteAccess): string {
  if (access.needs !== 'write') return access.needs;
  const { collection, orVariables } = access;
  return orVariables ? `${collection}:write, or a role for the variable` : `${collection}:write`;
}

const DENIED: Readonly<Record<Exclude<Restriction, 'other users'>, string>> = {
  history: 'They cannot read change records.',
  'new keys': 'They cannot create API keys.',
};

/**
 * Enforces the setting `restricts_readers` for a route. Lists of users contain only the caller then: see `userMapping`.
 * @param id the `id` in the path, if any
 * @throws AccessDeniedError, or InventoryError 404 for another user
 */
export function assertUnrestricted(ctx: RequestContext, access: RouteAccess, id: string | undefined): void {
  if (ctx.isRestricted !== true || !('restriction' in access)) return;
  const { restriction } = access;
  if (restriction !== 'other users')
    throw new AccessDeniedError(
      access,
      `This project restricts users without roles (restricts_readers). ${DENIED[restriction]}`,
    );
  // A malformed id is rejected later.
  const userId = id === undefined ? undefined : parseId(id);
  if (userId !== undefined && userId !== ctx.principal.userId) throw InventoryError.notFound('user', userId);
}

export const ACCESS = 'route access';

/** Extensions of operations in the API description, until `describeProposal` replaces them by what they mean. */
const WRITES_INVENTORY = 'x-writes-inventory';

/** Declares the access that a route requires. A route without this decorator is closed. */
export const Access = (access: RouteAccess) =>
  applyDecorators(
    SetMetadata(ACCESS, access),
    ...(isInventoryWrite(access) ? [ApiExtension(WRITES_INVENTORY, true)] : []),
  );

/** Allows a route without authentication. */
export const Public = () => Access({ needs: 'nothing' });

export const BATCHABLE = 'batchable';

/**
 * Marks a write whose handler prepares it and does not run it. If it writes the inventory, it can be a part of a batch: see
 * `isInventoryWrite`.
 */
export const Batchable = () =>
  applyDecorators(SetMetadata(BATCHABLE, true), ApiExtension(`x-${BATCHABLE}`, true));

export const PROPOSABLE = 'proposable';

/**
 * Marks a write that can be proposed though it cannot be a part of a batch.
 * @param how whether it is one operation of the proposal, or says what the operations are
 */
export const Proposable = (how: 'operation' | 'operations' = 'operation') =>
  applyDecorators(SetMetadata(PROPOSABLE, how), ApiExtension(`x-${PROPOSABLE}`, true));

export const CHOOSES_PROJECT = 'chooses project';

/** Marks the routes of the session itself: their requests need not be for its project, which they show, enter or leave. */
export const ChoosesProject = () => SetMetadata(CHOOSES_PROJECT, true);

/** Takes from an operation of the API description whether it can be proposed. */
export function takeProposable(operation: object): boolean {
  const [writesInventory, isBatchable, isProposable] = [
    WRITES_INVENTORY,
    `x-${BATCHABLE}`,
    `x-${PROPOSABLE}`,
  ].map((name) => {
    const value: unknown = Reflect.get(operation, name);
    Reflect.deleteProperty(operation, name);
    return value === true;
  });
  return (writesInventory && isBatchable) || isProposable === true;
}

/** Injects the context of the request into a controller method. The guards have read the body before. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext =>
  requestContext(host.switchToHttp().getRequest<Request>()),
);

/** The context of a request that the guards have admitted. */
export function requestContext(request: Request): RequestContext {
  const { ctx } = contextOf(request);
  const idempotency = idempotencyOf(request);
  return idempotency ? { ...ctx, idempotency } : ctx;
}

/** Injects the function that renews the context. Handlers that wait use it, because access can change meanwhile. */
export const Renewal = createParamDecorator(
  (_: unknown, host: ExecutionContext): RenewContext =>
    contextOf(host.switchToHttp().getRequest<Request>()).renew,
);

function contextOf(request: Request) {
  const { context } = requestState(request);
  if (!context) throw new Error('a public route has no context');
  return context;
}
