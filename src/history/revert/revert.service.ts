import type { WriteResult } from '../../core/change-preview';
import { Injectable } from '@nestjs/common';
import { isRoot, requireRootLeft, requireUserDelete, requireUserUpdate } from '../../accounts/users.service';
import { userShape } from '../../accounts/user';
import { deleteKeys } from '../../accounts/api-keys';
import { projectShape } from '../../accounts/project';
import { settingsShape } from '../../accounts/settings/settings';
import { KeyRing } from '../../auth/identity/api-key-cache';
import { KeystoneUsers } from '../../auth/identity/keystone/keystone-users';
import { ProjectPolicies } from '../../auth/project-policies';
import type { ChangeSet } from '../../changes/change-set';
import { Changes } from '../../changes/changes.service';
import { removeAnswers } from '../../changes/idempotency-store';
import type { Locked } from '../../changes/tracked-resource';
import { LabelAssignments } from '../../labels/label-assignments';
import { ResourceReader, type Shown } from '../../resources/resource-reader';
import type { RequestContext } from '../../core/context/request-context';
import type { Visibility } from '../../core/context/visibility';
import { list, sql } from '../../database/sql';
import { changeRecord } from '../change-record';
import { requireNoForeignUser } from './external-users';
import { laterTouches } from './later-changes';
import { isRehung, requireNoRing } from './parent-cycles';
import { putBack, putLabelsBack, restore } from './apply-revert';
import { readChange, type RecordedChange, type RecordedObject } from './recorded-change';
import { requireRevert } from './revert-access';
import { cannotBeUndone, nameOf, refusedReference, requireUntouched } from './revert-conflicts';
import { deletionOrder } from './revertible-kinds';

/** The objects of a change, by the action that reverts them. */
interface RevertPlan {
  readonly recorded: RecordedChange;
  /** The objects to delete. */
  readonly created: readonly RecordedObject[];
  /** The objects to recreate. */
  readonly deleted: readonly RecordedObject[];
  /** The objects to restore, without those of which no recorded member or variable was altered. */
  readonly updated: readonly RecordedObject[];
}

/** Reverts a change with a new change. */
@Injectable()
export class RevertService {
  constructor(
    private readonly changes: Changes,
    private readonly labels: LabelAssignments,
    private readonly reader: ResourceReader,
    private readonly keys: KeyRing,
    private readonly keystoneUsers: KeystoneUsers,
    private readonly policies: ProjectPolicies,
  ) {}

  /**
   * Reverts a change.
   * @returns the record of the new change
   * @throws InventoryError 403, 404, 409 if later changes conflict, a resource is in use, a name is taken, a referenced
   * resource no longer exists, or the change records do not contain what the revert needs
   */
  async revert(
    ctx: RequestContext,
    id: number,
    note: string | null | undefined,
  ): Promise<WriteResult<Shown>> {
    return this.changes
      .writeThen(
        ctx,
        note,
        async (change) => {
          const recorded = await readChange(ctx, id, change.tx);
          const plan = planRevert(recorded);
          assertRecorded(plan, ctx.visibility);
          requireRevert(ctx, recorded.objects);
          try {
            await this.apply(change, plan);
          } catch (error) {
            throw refusedReference(recorded, error);
          }
        },
        ({ tx, changeId }) => this.reader.written(ctx, changeRecord, changeId, tx),
      )
      .finally(() => {
        this.keys.forget();
        this.keystoneUsers.forget();
        this.policies.forget();
      });
  }

  private async apply(change: ChangeSet, plan: RevertPlan): Promise<void> {
    const { recorded, created, deleted, updated } = plan;
    await requireNoForeignUser(change, recorded, deleted);
    await lockProject(change, plan);
    const locked = await lockObjects(change, recorded, [...updated, ...created]);
    requireUntouched(recorded, await laterTouches(change.ctx, recorded, change.tx));
    for (const object of [...updated, ...created]) await assertCurrentState(change, plan, object, locked);
    await restore(change, recorded, deleted);
    await putBack(change, recorded, updated);
    await putLabelsBack(change, recorded, [...deleted, ...updated]);
    await requireNoRing(change, recorded, updated);
    const inDeletionOrder = created.toSorted((a, b) => deletionOrder(a.kind, b.kind));
    for (const object of inDeletionOrder) await this.delete(change, recorded, object);
    const touchesRoot = [...locked.values()].some((user) => user.shape === userShape && isRoot(user));
    if (touchesRoot) await requireRootLeft(change);
  }

  private async delete(
    change: ChangeSet,
    { projectId }: RecordedChange,
    object: RecordedObject,
  ): Promise<void> {
    const { shape } = object.kind;
    const resource = await change.lockForDelete(shape, object.id === 0 ? projectId : object.id);
    if (shape.labels) await this.labels.replace(change, shape.labels, resource, []);
    if (shape === userShape) await deleteKeys(change, resource);
    if (shape === projectShape) await removeAnswers(change.tx, projectId);
    await change.delete(resource);
  }
}

function planRevert(recorded: RecordedChange): RevertPlan {
  const { objects } = recorded;
  return {
    recorded,
    created: objects.filter(({ action }) => action === 'create'),
    deleted: objects.filter(({ action }) => action === 'delete'),
    updated: objects.filter(
      ({ action, members, keys }) => action === 'update' && members.length + keys.length > 0,
    ),
  };
}

/**
 * @throws InventoryError 409 if the change records do not contain what the revert needs, or if everything is hidden from
 * the caller, so that the change looks like one that altered nothing
 */
function assertRecorded({ recorded, created, deleted, updated }: RevertPlan, visibility: Visibility): void {
  for (const { kind } of deleted)
    if (kind.unrecorded !== undefined) throw cannotBeUndone(recorded, `${kind.unrecorded} is not recorded`);
  const visible = updated.filter(
    ({ members, keys }) => members.length > 0 || keys.some((key) => visibility.sees(key)),
  );
  if (created.length + deleted.length + visible.length > 0) return;
  const kinds = new Set(recorded.objects.map(({ kind }) => kind));
  const unrecorded = [...kinds].flatMap(
    (kind) => kind.unrecorded ?? (kind.shape === userShape ? 'an API key' : []),
  );
  throw cannotBeUndone(
    recorded,
    unrecorded.length > 0
      ? `${unrecorded.join(', ')} is not recorded`
      : 'it altered nothing that is recorded',
  );
}

/**
 * Locks the project row if the revert changes parents or settings. Every update of a device's parent takes the same
 * lock. Settings need it, because the row of settings can be missing and then cannot be locked itself.
 */
async function lockProject(change: ChangeSet, { recorded, updated }: RevertPlan): Promise<void> {
  const needsLock =
    updated.some(isRehung) || recorded.objects.some(({ kind }) => kind.shape === settingsShape);
  if (!needsLock) return;
  await change.tx.rows(sql`SELECT FROM projects p WHERE p.id = ${recorded.projectId} FOR NO KEY UPDATE`);
}

/** Locks the resources to restore or delete, kind by kind. @returns the existing ones, by ordinal */
async function lockObjects(
  change: ChangeSet,
  { projectId }: RecordedChange,
  objects: readonly RecordedObject[],
): Promise<ReadonlyMap<number, Locked>> {
  const locked = new Map<number, Locked>();
  for (const kind of new Set(objects.map((object) => object.kind))) {
    const ofKind = objects.filter((object) => object.kind === kind);
    const condition =
      kind.shape.idType === 'uuid'
        ? sql`true`
        : sql`t.id = ANY(${list(ofKind.map(({ id }) => id))}::bigint[])`;
    const rows = await change.lockAll(kind.shape, projectId, condition);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { ordinal, id } of ofKind) {
      const row = byId.get(id);
      if (row) locked.set(ordinal, row);
    }
  }
  return locked;
}

/**
 * Checks the current state of a resource to restore or delete.
 * @throws InventoryError 409 if it no longer exists; for a user, the errors of a direct write
 */
async function assertCurrentState(
  change: ChangeSet,
  { recorded }: RevertPlan,
  object: RecordedObject,
  locked: ReadonlyMap<number, Locked>,
): Promise<void> {
  const resource = locked.get(object.ordinal);
  if (!resource) throw cannotBeUndone(recorded, `${nameOf(object)} no longer exists`);
  if (object.kind.shape !== userShape) return;
  const { action, members, wasRoot } = object;
  if (action === 'create') await requireUserDelete(change, resource);
  else
    await requireUserUpdate(change, resource, {
      members,
      isRoot: members.includes('is_root') ? wasRoot : isRoot(resource),
    });
}
