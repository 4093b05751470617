import { Injectable } from '@nestjs/common';
import { isKeyId } from '../auth/identity/api-key';
import { UserCaches } from '../auth/user-caches';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { LockedResource } from '../changes/resource-snapshot';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import { formatTime, parseTime } from '../core/parameters';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { issueKey, type NewKey, revokeKeys, type RevokedKey } from './api-keys';
import { isRoot, requireRootKey } from './last-root-user';
import { RoleCollections } from './role-collections';
import { deleteUserData } from './user-data';
import { User, users, userMapping } from './user.entity';
import type { CreateUser, NewApiKeyBody, UpdateUser } from './user.dto';
import { assertLocalUser, assertRootFor, assertUserDelete, assertUserUpdate } from './user-rules';

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
      await deleteUserData(change, user);
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

const namesOf = (values: object): string[] =>
  Object.entries(values).flatMap(([member, value]) => (value === undefined ? [] : [member]));

/** A text that is not the id of a key may be a key, so it is not repeated. */
function keyName(keyId: string | undefined): string {
  if (keyId === undefined) return 'key';
  return isKeyId(keyId) ? `key ${keyId}` : 'key with this id';
}
