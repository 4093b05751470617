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

/** What a change did, sorted by what undoes it. */
interface Undoing {
  readonly recorded: RecordedChange;
  /** To be deleted. */
  readonly created: readonly RecordedObject[];
  /** To be made again. */
  readonly deleted: readonly RecordedObject[];
  /** To be put back; without those of which nothing on record was altered. */
  readonly updated: readonly RecordedObject[];
}

/** Undoes changes, each by a change of its own. */
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
   * Undoes one change, and answers the record of the change that does it.
   * @throws InventoryError 403, 404, 409 for what was touched since, is in use, is taken, refers to what is gone, or
   * was never recorded
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
          const undoing = undoingOf(recorded);
          requireRecorded(undoing, ctx.visibility);
          requireRevert(ctx, recorded.objects);
          try {
            await this.undo(change, undoing);
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

  private async undo(change: ChangeSet, undoing: Undoing): Promise<void> {
    const { recorded, created, deleted, updated } = undoing;
    await requireNoForeignUser(change, recorded, deleted);
    await holdProject(change, undoing);
    const locked = await lock(change, recorded, [...updated, ...created]);
    requireUntouched(recorded, await laterTouches(change.ctx, recorded, change.tx));
    for (const object of [...updated, ...created]) await requireStanding(change, undoing, object, locked);
    await restore(change, recorded, deleted);
    await putBack(change, recorded, updated);
    await putLabelsBack(change, recorded, [...deleted, ...updated]);
    await requireNoRing(change, recorded, updated);
    const last = created.toSorted((one, other) => deletionOrder(one.kind, other.kind));
    for (const object of last) await this.delete(change, recorded, object);
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

function undoingOf(recorded: RecordedChange): Undoing {
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
 * @throws InventoryError 409 for what change records do not hold, and for a change of which the caller sees nothing: it
 * looks to him like one that altered nothing
 */
function requireRecorded({ recorded, created, deleted, updated }: Undoing, visibility: Visibility): void {
  for (const { kind } of deleted)
    if (kind.unrecorded !== undefined) throw cannotBeUndone(recorded, `${kind.unrecorded} is not on record`);
  const seen = updated.filter(
    ({ members, keys }) => members.length > 0 || keys.some((key) => visibility.sees(key)),
  );
  if (created.length + deleted.length + seen.length > 0) return;
  const kinds = new Set(recorded.objects.map(({ kind }) => kind));
  const unrecorded = [...kinds].flatMap(
    (kind) => kind.unrecorded ?? (kind.shape === userShape ? 'an API key' : []),
  );
  throw cannotBeUndone(
    recorded,
    unrecorded.length > 0 ? `${unrecorded.join(', ')} is not on record` : 'nothing on record was altered',
  );
}

/**
 * Parents change one at a time within a project, as in every update of a device, and so do its settings: whether they
 * were ever set, nobody can hold but by their project.
 */
async function holdProject(change: ChangeSet, { recorded, updated }: Undoing): Promise<void> {
  const isInTurn =
    updated.some(isRehung) || recorded.objects.some(({ kind }) => kind.shape === settingsShape);
  if (!isInTurn) return;
  await change.tx.rows(sql`SELECT FROM projects p WHERE p.id = ${recorded.projectId} FOR NO KEY UPDATE`);
}

/** Locks what is to be put back or deleted, kind by kind. @returns those that are there, by ordinal */
async function lock(
  change: ChangeSet,
  { projectId }: RecordedChange,
  objects: readonly RecordedObject[],
): Promise<ReadonlyMap<number, Locked>> {
  const found = new Map<number, Locked>();
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
      if (row) found.set(ordinal, row);
    }
  }
  return found;
}

/**
 * Checks what is to be put back or deleted as it is now.
 * @throws InventoryError 409 if it is gone; for a user, what a direct write is refused with
 */
async function requireStanding(
  change: ChangeSet,
  { recorded }: Undoing,
  object: RecordedObject,
  locked: ReadonlyMap<number, Locked>,
): Promise<void> {
  const resource = locked.get(object.ordinal);
  if (!resource) throw cannotBeUndone(recorded, `${nameOf(object)} is not there any more`);
  if (object.kind.shape !== userShape) return;
  const { action, members, wasRoot } = object;
  if (action === 'create') await requireUserDelete(change, resource);
  else
    await requireUserUpdate(change, resource, {
      members,
      isRoot: members.includes('is_root') ? wasRoot : isRoot(resource),
    });
}
