import { Injectable } from '@nestjs/common';
import { isRoot, assertRootLeft } from '../../accounts/last-root-user';
import { assertUserDelete, assertUserUpdate } from '../../accounts/user-rules';
import { userMapping } from '../../accounts/user.entity';
import { deleteUserData } from '../../accounts/user-data';
import { projectMapping } from '../../accounts/project.entity';
import { deleteProjectData } from '../../accounts/projects.service';
import { settingsMapping } from '../../accounts/settings/settings.entity';
import { ProjectPolicies } from '../../auth/project-policies';
import { UserCaches } from '../../auth/user-caches';
import type { ChangeSet } from '../../changes/change-set';
import { lockProject } from '../../changes/project-lock';
import { type Operation, RecordedResult } from '../../changes/operation';
import type { LockedResource } from '../../changes/resource-snapshot';
import { ResourceReader, type RenderedResource } from '../../resources/resource-reader';
import type { RequestContext } from '../../core/context/request-context';
import type { Visibility } from '../../core/context/variable-keys';
import { arrayParameter, sql } from '../../database/sql';
import { changeRecord } from '../change-record';
import {
  assertNoConflicts,
  assertNoExternalUsers,
  assertNoParentCycle,
  changesParent,
  describeObject,
  findConflicts,
  revertConflict,
  toRevertConflict,
} from './revert-conflicts';
import { restoreUpdated, restoreLabels, recreateDeleted, releaseNames, releaseParents } from './apply-revert';
import {
  assertRevertibleCount,
  readRecordedChange,
  type RecordedChange,
  type RecordedObject,
} from './recorded-change';
import { assertCanWriteKind, deletionOrder } from './revertible-kinds';
import { assertCanWriteVariables } from '../../auth/access';
import { InventoryError } from '../../core/errors';

/**
 * The caller must be able to write everything that the change touched: the resources, or only the variables if nothing
 * else is reverted.
 * @throws InventoryError 403, which does not name hidden variables
 */
function assertCanRevert(ctx: RequestContext, objects: readonly RecordedObject[]): void {
  const { principal, visibility } = ctx;
  // Created resources are deleted, with all their variables.
  const restored = objects.filter(({ action }) => action !== 'create');
  const isHidden = ({ keys }: RecordedObject) => keys.some((key) => !visibility.sees(key));
  if (restored.some(isHidden) || objects.some(({ hidden }) => hidden))
    throw InventoryError.forbidden('This would alter variables that are private in this project.', []);
  for (const { kind, action, members, keys } of objects) {
    if (action === 'update' && members.length === 0)
      assertCanWriteVariables(ctx, kind.mapping.collection, keys);
    else assertCanWriteKind(principal, kind);
  }
}

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

/** Reverts one or several changes with a new change. */
@Injectable()
export class RevertService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly caches: UserCaches,
    private readonly policies: ProjectPolicies,
  ) {}

  /**
   * Reverts changes of one project, newest first, with one new change, whose record is the result.
   * @param additionalIds the ids of further changes
   * @throws InventoryError 403, 404, 405 if there is no further change with an id, 409 if later changes conflict, a resource is in use, a name is taken, a referenced
   * resource no longer exists, or the change records do not contain what the revert needs
   */
  prepareRevert(
    ctx: RequestContext,
    id: number,
    additionalIds: readonly number[],
    note: string | null | undefined,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const plans: RevertPlan[] = [];
      for (const each of new Set([id, ...additionalIds].sort((a, b) => b - a)))
        plans.push(planRevert(await readChange(ctx, each, change, each !== id)));
      for (const plan of plans) {
        assertRecorded(plan, ctx.visibility);
        assertCanRevert(ctx, plan.recorded.objects);
      }
      assertCompatible(plans);
      const reverted: number[] = [];
      for (const plan of plans) {
        const { recorded } = plan;
        try {
          await this.apply(change, plan, reverted);
        } catch (error) {
          throw toRevertConflict(recorded, error);
        }
        reverted.push(recorded.id);
      }
      change.reverts.push(...reverted);
      return new RecordedResult(({ tx, changeId = notRecorded() }) =>
        this.reader.showWritten(ctx, changeRecord, changeId, tx),
      );
    };
    return { note, run, invalidates: [this.caches, this.policies] };
  }

  /** @param reverted the ids of the later changes that are reverted already */
  private async apply(change: ChangeSet, plan: RevertPlan, reverted: readonly number[]): Promise<void> {
    const { recorded, created, deleted, updated } = plan;
    await assertNoExternalUsers(change, recorded, deleted);
    await lockProjectFor(change, plan);
    // The change meets the rules that it may alter.
    if (recorded.objects.some(isSettings))
      change.usePolicy(await this.policies.readUncached(change.tx, recorded.projectId));
    const locked = await lockObjects(change, recorded, [...updated, ...created]);
    assertNoConflicts(recorded, await findConflicts(change.ctx, recorded, reverted, change.tx));
    for (const object of [...updated, ...created]) await assertCurrentState(change, plan, object, locked);
    await releaseNames(change, recorded, plan);
    await recreateDeleted(change, recorded, deleted);
    await restoreUpdated(change, recorded, updated);
    await restoreLabels(change, recorded, [...deleted, ...updated]);
    await assertNoParentCycle(change, recorded, updated);
    await releaseParents(change, recorded, created);
    const inDeletionOrder = created.toSorted((a, b) => deletionOrder(a.kind, b.kind));
    for (const object of inDeletionOrder) await this.delete(change, recorded, object);
    const touchesRoot = [...locked.values()].some((user) => user.mapping === userMapping && isRoot(user));
    if (touchesRoot) await assertRootLeft(change);
  }

  private async delete(
    change: ChangeSet,
    { projectId }: RecordedChange,
    object: RecordedObject,
  ): Promise<void> {
    const { mapping } = object.kind;
    const resource = await change.lockForDelete(mapping, object.id === 0 ? projectId : object.id);
    // Its name may have been released.
    await change.delete({ ...resource, name: object.name }, async () => {
      if (mapping === userMapping) await deleteUserData(change, resource);
      if (mapping === projectMapping) await deleteProjectData(change, projectId);
    });
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

/** @throws InventoryError 404, or 405 for a further change, if the caller cannot see it; 409 */
async function readChange(
  ctx: RequestContext,
  id: number,
  { tx }: ChangeSet,
  isFurther: boolean,
): Promise<RecordedChange> {
  try {
    return await readRecordedChange(ctx, id, tx);
  } catch (error) {
    const isMissing = error instanceof InventoryError && error.status === 404;
    throw isMissing && isFurther
      ? InventoryError.validationException('additional_ids', 'not_found', `there is no change ${String(id)}`)
      : error;
  }
}

/**
 * Checks that changes can be reverted together: all must belong to one project, and none may create a resource that
 * another one deletes, because a recreated resource could get an entity tag that it had before.
 * @throws InventoryError 405, 409
 */
function assertCompatible(plans: readonly RevertPlan[]): void {
  const [first] = plans;
  if (plans.some(({ recorded }) => recorded.projectId !== first?.recorded.projectId))
    throw InventoryError.validationException(
      'additional_ids',
      'inconsistent',
      'must be changes of the same project',
    );
  assertRevertibleCount(plans.reduce((count, { recorded }) => count + recorded.objects.length, 0));
  const creations = new Map(
    plans.flatMap(({ recorded, created }) => created.map((object) => [resourceKey(object), recorded])),
  );
  for (const { recorded, deleted } of plans)
    for (const object of deleted) {
      const creation = creations.get(resourceKey(object));
      if (creation)
        throw revertConflict(
          recorded,
          `the change ${String(creation.id)} creates ${describeObject(object)}, which this one deletes: revert the other changes without these two`,
        );
    }
}

const resourceKey = ({ kind, id }: RecordedObject): string => `${kind.mapping.kind} ${String(id)}`;

/**
 * @throws InventoryError 409 if the change records do not contain what the revert needs, or if everything is hidden from
 * the caller, so that the change looks like one that altered nothing
 */
function assertRecorded({ recorded, created, deleted, updated }: RevertPlan, visibility: Visibility): void {
  for (const { kind } of deleted)
    if (kind.unrecorded !== undefined) throw revertConflict(recorded, `${kind.unrecorded} is not recorded`);
  const visible = updated.filter(
    ({ members, keys }) => members.length > 0 || keys.some((key) => visibility.sees(key)),
  );
  if (created.length + deleted.length + visible.length > 0) return;
  const kinds = new Set(recorded.objects.map(({ kind }) => kind));
  const unrecorded = [...kinds].flatMap(
    (kind) => kind.unrecorded ?? (kind.mapping === userMapping ? 'an API key' : []),
  );
  throw revertConflict(
    recorded,
    unrecorded.length > 0
      ? `${unrecorded.join(', ')} is not recorded`
      : 'it altered nothing that is recorded',
  );
}

const isSettings = ({ kind }: RecordedObject): boolean => kind.mapping === settingsMapping;

/** Locks the project if the revert changes parents or settings. The row of settings can be missing, and then cannot be locked. */
async function lockProjectFor({ tx }: ChangeSet, { recorded, updated }: RevertPlan): Promise<void> {
  const { projectId, objects } = recorded;
  if (updated.some(changesParent) || objects.some(isSettings)) await lockProject(tx, projectId);
}

/** Locks the resources to restore or delete, kind by kind. @returns the existing ones, by ordinal */
async function lockObjects(
  change: ChangeSet,
  { projectId }: RecordedChange,
  objects: readonly RecordedObject[],
): Promise<ReadonlyMap<number, LockedResource>> {
  const locked = new Map<number, LockedResource>();
  for (const kind of new Set(objects.map((object) => object.kind))) {
    const ofKind = objects.filter((object) => object.kind === kind);
    const condition =
      kind.mapping.idType === 'uuid'
        ? sql`true`
        : sql`t.id = ANY(${arrayParameter(ofKind.map(({ id }) => id))}::bigint[])`;
    const rows = await change.lockAll(kind.mapping, projectId, condition);
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
  locked: ReadonlyMap<number, LockedResource>,
): Promise<void> {
  const resource = locked.get(object.ordinal);
  if (!resource) throw revertConflict(recorded, `${describeObject(object)} no longer exists`);
  if (object.kind.mapping !== userMapping) return;
  const { action, members, wasRoot } = object;
  if (action === 'create') await assertUserDelete(change, resource);
  else
    await assertUserUpdate(change, resource, {
      members,
      isRoot: members.includes('is_root') ? wasRoot : isRoot(resource),
    });
}

function notRecorded(): never {
  throw new Error('a revert was not recorded');
}
