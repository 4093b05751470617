import { Injectable } from '@nestjs/common';
import { isKeyId } from '../auth/identity/api-key';
import { EXTERNAL_PROVIDERS } from '../auth/identity/external-users';
import { UserCaches } from '../auth/user-caches';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { LockedResource, Snapshot } from '../changes/row-statements';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import { formatTime, parseTime } from '../core/parameters';
import { sql } from '../database/sql';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { deleteCredentials, issueKey, IS_ACTIVE, type NewKey, revokeKeys, type RevokedKey } from './api-keys';
import { RoleCollections } from './role-collections';
import { User, users, userMapping } from './user.entity';
import type { CreateUser, NewApiKeyBody, UpdateUser } from './user.dto';

/** A user, and a new key, which cannot be read again. */
interface UserAndKey {
  readonly id: number;
  readonly key: string;
}

/** Reads the result for a user with a new key, within the transaction. */
type ShowUser<T> = (change: ChangeSet, created: UserAndKey) => Promise<T>;
/** The options of a new key. */
interface NewKeyOptions extends NewKey {
  /** Whether the user's other keys stay valid. */
  readonly keepOthers?: boolean;
  readonly precondition?: Precondition;
}

/** Users and their keys. */
@Injectable()
export class UsersService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly caches: UserCaches,
    private readonly roleCollections: RoleCollections,
  ) {}

  /** @throws InventoryError 403 if a caller without root creates a root user, 409 */
  prepareCreate(ctx: RequestContext, body: CreateUser): Operation<RenderedResource> {
    return this.prepareUser(ctx, body, (change, created) => this.showWithKey(ctx, created, change));
  }

  /**
   * The creation of a user with a key. @param show reads the result
   * @throws InventoryError 403 if a caller without root creates a root user, 409
   */
  prepareUser<T>(ctx: RequestContext, body: CreateUser, show: ShowUser<T>, newKey?: NewKey): Operation<T> {
    assertRootFor(ctx, body.is_root === true);
    this.roleCollections.assertKnown(body.roles ?? []);
    const run = async (change: ChangeSet): Promise<T> => {
      const { projectId } = ctx;
      const id = await insertUser(change, projectId, body);
      return show(change, { id, key: await issueKey(change, { projectId, id }, newKey) });
    };
    return { run };
  }

  /** @throws InventoryError 400 for a role of an unknown collection, 403, 404, 409 also for the last root user and for an external user, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateUser,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    this.roleCollections.assertKnown(body.roles ?? []);
    const run = async (change: ChangeSet) => {
      const user = await change.lock(userMapping, id, precondition);
      const { username, is_admin, is_root, roles } = body;
      const values = { username, is_admin, is_root, roles };
      await assertUserUpdate(change, user, { members: namesOf(values), isRoot: is_root ?? isRoot(user) });
      await change.update(user, User, values);
      return this.reader.showWritten(ctx, users, id, change.tx);
    };
    return { run, invalidates: [this.caches] };
  }

  /** @throws InventoryError 403, 404, 409 for the last root user, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    const prepare = async (change: ChangeSet, user: LockedResource) => {
      await assertUserDelete(change, user);
      await deleteCredentials(change, user);
    };
    return { ...deletion(userMapping, id, precondition, prepare), invalidates: [this.caches] };
  }

  /**
   * A new key that replaces the user's other keys. @throws InventoryError 403, 404, 409 for an external user, 412
   */
  prepareReplaceKeys(
    ctx: RequestContext,
    id: number,
    { expires_at, note }: NewApiKeyBody,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    return this.prepareShownKey(ctx, id, { expires_at, note, precondition });
  }

  /** A further key. @throws InventoryError 403, 404, 409 for an external user, 412 */
  prepareAddKey(
    ctx: RequestContext,
    id: number,
    { expires_at, note }: NewApiKeyBody,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    return this.prepareShownKey(ctx, id, { expires_at, note, precondition, keepOthers: true });
  }

  private prepareShownKey(ctx: RequestContext, id: number, wanted: NewKeyOptions) {
    return this.prepareKey(ctx, id, wanted, (change, created) => this.showWithKey(ctx, created, change));
  }

  /**
   * A new key for a user. @param show reads the result
   * @throws InventoryError 400 for an expiry after that of the caller's key, 403, 404, 409 for an external user and if no
   * root user would be left with a key that does not expire, 412
   */
  prepareKey<T>(ctx: RequestContext, id: number, wanted: NewKeyOptions, show: ShowUser<T>): Operation<T> {
    assertSelfOrAdmin(ctx, id);
    const expiresAt = expiryOfNewKey(ctx, wanted.expires_at);
    const run = async (change: ChangeSet) => {
      const user = await change.lock(userMapping, id, wanted.precondition);
      assertRootFor(ctx, isRoot(user));
      await assertLocalUser(change, user, ['api_key']);
      const revoked = wanted.keepOthers === true ? [] : await revokeKeys(change, user);
      const key = await issueKey(change, user, { expires_at: expiresAt, note: wanted.note });
      await requireRootKey(change, user, revoked);
      await change.update(user, User, {});
      return show(change, { id, key });
    };
    return { run, invalidates: [this.caches] };
  }

  /**
   * The revocation of one of a user's keys, or of all. Its result is the ids of the revoked keys.
   * @throws InventoryError 403, 404 also if there is no key to revoke
   */
  prepareRevokeKeys(ctx: RequestContext, id: number, which: 'all' | { keyId: string }): Operation<string[]> {
    return this.prepareRevocation(ctx, id, { keyId: which === 'all' ? undefined : which.keyId });
  }

  /**
   * The revocation of one of a user's keys, unless it is the last key of any root user.
   * @throws InventoryError 403, 404 also if it is already revoked, 409, 412
   */
  prepareRevokeKey(
    ctx: RequestContext,
    id: number,
    keyId: string,
    precondition: Precondition,
  ): Operation<string[]> {
    return this.prepareRevocation(ctx, id, { keyId, precondition }, requireRootKey);
  }

  private prepareRevocation(
    ctx: RequestContext,
    id: number,
    { keyId, precondition }: { readonly keyId: string | undefined; readonly precondition?: Precondition },
    check?: (change: ChangeSet, user: LockedResource, revoked: readonly RevokedKey[]) => Promise<void>,
  ): Operation<string[]> {
    assertSelfOrAdmin(ctx, id);
    const run = async (change: ChangeSet) => {
      const user = await change.lock(userMapping, id, precondition);
      assertRootFor(ctx, isRoot(user));
      const revoked = await revokeKeys(change, user, keyId);
      if (revoked.length === 0)
        throw new InventoryError(
          'not_found',
          `The user ${user.name} has no ${keyName(keyId)} that is not revoked.`,
          keyId === undefined
            ? []
            : [{ field: 'key_id', code: 'not_found', message: 'no key with this id that is not revoked' }],
        );
      await check?.(change, user, revoked);
      await change.update(user, User, {});
      return revoked.map((key) => key.keyId);
    };
    return { run, invalidates: [this.caches] };
  }

  private async showWithKey(
    ctx: RequestContext,
    { id, key }: UserAndKey,
    change: ChangeSet,
  ): Promise<RenderedResource> {
    const shown = await this.reader.showWritten(ctx, users, id, change.tx);
    return { ...shown, body: `${shown.body.slice(0, -1)},"api_key":${JSON.stringify(key)}}` };
  }
}

/** Creates a user without a key. @returns the id */
export async function insertUser(
  change: ChangeSet,
  projectId: string,
  { username, is_admin = false, is_root = false, roles = [] }: CreateUser,
): Promise<number> {
  return change.insert(userMapping, User, { project_id: projectId, username, is_admin, is_root, roles });
}

/** Whether a user, as read from the database, is a root user. */
export const isRoot = (user: Pick<Snapshot, 'members'>): boolean =>
  (JSON.parse(user.members) as { is_root: boolean }).is_root;

/** The effect of an update on a user. */
interface UserUpdate {
  /** The members that it sets. */
  readonly members: readonly string[];
  /** Whether the user is a root user afterwards. */
  readonly isRoot: boolean;
}

const namesOf = (values: object): string[] =>
  Object.entries(values).flatMap(([member, value]) => (value === undefined ? [] : [member]));

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

/** Only the user themselves and admins can manage a user's keys. @throws InventoryError 403 */
export function assertSelfOrAdmin({ principal, projectId }: RequestContext, id: number): void {
  const isSelf = principal.userId === id && principal.homeProjectId === projectId;
  if (isSelf || principal.isAdmin || principal.isRoot) return;
  throw InventoryError.forbidden("Only project admins can manage other users' API keys.", ['admin']);
}

/**
 * When a new key expires. A caller with an expiring key cannot create one that lasts longer, or the expiry would have
 * no effect. Admins can, because they manage all keys of the project.
 * @throws InventoryError 400 for a time after the expiry of the caller's own key
 */
function expiryOfNewKey(
  { principal, key }: RequestContext,
  wanted: string | null | undefined,
): string | null {
  const latest = principal.isAdmin || principal.isRoot ? null : (key?.expiresAt ?? null);
  const time = wanted === null || wanted === undefined ? undefined : parseTime(wanted);
  if (latest === null || time === undefined) return time ?? latest;
  if (formatTime(time) <= latest) return time;
  throw InventoryError.invalid(
    'expires_at',
    'out_of_range',
    `must not be later than ${latest}: the API key of this request expires then`,
  );
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
async function assertLocalUser(
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

/** The id of an advisory lock. Concurrent deletions and demotions of root users wait for it. */
const ROOTS_LOCK = 7_780_003;

/**
 * A deployment without a root user could never get one again. The check uses an advisory lock, because Citus cannot
 * lock rows of several projects.
 * @throws InventoryError 409 if the user is the last one
 */
async function requireAnotherRoot(change: ChangeSet, user: LockedResource): Promise<void> {
  const roots = await lockedRoots(change);
  if (roots.some((id) => id !== user.id)) return;
  throw new InventoryError('conflict', `The user ${user.name} is the last root user.`);
}

/**
 * Checks a change after it has deleted or demoted several root users, of which none alone was the last one.
 * @throws InventoryError 409 if no root user is left
 */
export async function assertRootLeft(change: ChangeSet): Promise<void> {
  if ((await lockedRoots(change)).length > 0) return;
  throw new InventoryError('conflict', 'The change would delete or demote every root user.');
}

/** The ids of all root users. Only this transaction deletes or demotes one until it ends. */
async function lockedRoots(change: ChangeSet): Promise<number[]> {
  await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${ROOTS_LOCK})`);
  const roots = await change.tx.rows<{ id: number }>(sql`
    SELECT t.id FROM users t WHERE t.project_id IN (SELECT id FROM projects) AND t.is_root`);
  return roots.map(({ id }) => id);
}

/**
 * Without an active key, no root user could create another one through the API. That includes the time when the keys that
 * are left have expired, if a key that never expires was there before.
 * @param revoked the keys of the user that were just revoked
 * @throws InventoryError 409
 */
async function requireRootKey(
  change: ChangeSet,
  user: LockedResource,
  revoked: readonly RevokedKey[],
): Promise<void> {
  if (revoked.length === 0 || !isRoot(user)) return;
  await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${ROOTS_LOCK})`);
  const left = await change.tx.rows<{ isUnlimited: boolean }>(sql`
    SELECT t.expires_at IS NULL AS "isUnlimited"
    FROM users u JOIN api_keys t ON t.project_id = u.project_id AND t.user_id = u.id
    WHERE u.project_id IN (SELECT id FROM projects) AND u.is_root AND ${IS_ACTIVE}
    ORDER BY t.expires_at DESC LIMIT 1`);
  if (left.length === 0)
    throw new InventoryError('conflict', 'It is the last key of a root user: create a new one first.');
  const lostUnlimited = revoked.some(({ isUnlimited }) => isUnlimited);
  if (lostUnlimited && left[0]?.isUnlimited !== true)
    throw new InventoryError(
      'conflict',
      'It is the last key of a root user that does not expire, and all others do: create one that does not expire first.',
    );
}

/** A text that is not the id of a key may be a key, so it is not repeated. */
function keyName(keyId: string | undefined): string {
  if (keyId === undefined) return 'key';
  return isKeyId(keyId) ? `key ${keyId}` : 'key with this id';
}
