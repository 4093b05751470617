import { EXTERNAL_PROVIDERS } from '../auth/identity/external-users';
import type { ChangeSet } from '../changes/change-set';
import type { LockedResource } from '../changes/resource-snapshot';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { sql } from '../database/sql';
import { isRoot, requireAnotherRoot } from './last-root-user';

/** The effect of an update on a user. */
interface UserUpdate {
  /** The members that it sets. */
  readonly members: readonly string[];
  /** Whether the user is a root user afterwards. */
  readonly isRoot: boolean;
}

/**
 * Checks an update against the current user. It is called for requests and for reverts.
 * @throws InventoryError 403 for a root user, 409 for the last root user and for a user of an identity provider
 */
export async function assertUserUpdate(
  change: ChangeSet,
  user: LockedResource,
  { members, isRoot: willBeRoot }: UserUpdate,
): Promise<void> {
  assertRootFor(change.ctx, isRoot(user) || willBeRoot);
  if (isRoot(user) && !willBeRoot) await requireAnotherRoot(change, user);
  await assertLocalUser(change, user, members);
}

/**
 * Checks a deletion against the current user. It is called for requests and for reverts.
 * @throws InventoryError 403 for a root user, 409 for the last one
 */
export async function assertUserDelete(change: ChangeSet, user: LockedResource): Promise<void> {
  assertRootFor(change.ctx, isRoot(user));
  if (isRoot(user)) await requireAnotherRoot(change, user);
}

/** Only root can write root users: an admin who creates a key for one would become root. @throws InventoryError 403 */
export function assertRootFor(ctx: RequestContext, concernsRoot: boolean): void {
  if (concernsRoot && !ctx.principal.isRoot)
    throw InventoryError.forbidden('Only a root user can create, change or delete a root user.', ['root']);
}

/**
 * An identity provider defines the names and roles of its users, and an API key would give access after the provider has
 * revoked it.
 * @param members the members to write
 * @throws InventoryError 409
 */
export async function assertLocalUser(
  change: ChangeSet,
  user: LockedResource,
  members: readonly string[],
): Promise<void> {
  if (members.length === 0) return;
  const [found] = await change.tx.rows<{ is_keystone: boolean; is_oidc: boolean }>(sql`
    SELECT keystone_id IS NOT NULL AS is_keystone, oidc_subject IS NOT NULL AS is_oidc FROM users
    WHERE project_id = ${user.projectId} AND id = ${user.id}`);
  if (!found?.is_keystone && !found?.is_oidc) return;
  const { title } = EXTERNAL_PROVIDERS[found.is_keystone ? 'keystone' : 'oidc'];
  throw new InventoryError(
    'conflict',
    `The user ${user.name} comes from ${title}: its name and roles are defined there, and it cannot have an API key.`,
    members.map((field) => ({ field, code: 'read_only', message: `is managed by ${title}` })),
  );
}
