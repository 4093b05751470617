import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import type { ProjectPolicy } from '../auth/project-policies';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { requireVersion, type Precondition } from '../http/etag';
import type { Transaction } from '../database/database';
import { and, raw, sql, type Sql } from '../database/sql';
import { from, inScope, hasVisibleKeys, ofKind } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import {
  type ColumnValues,
  insertStatement,
  lockStatement,
  snapshotStatement,
  updateStatement,
  type VariableEdit,
  withSnapshot,
} from './row-statements';
import {
  type LockedResource,
  type Snapshot,
  snapshotOf,
  type SnapshotRow,
  type TrackedResource,
} from './snapshot';
import { assertNotReferenced } from './assert-not-referenced';

export type { VariableEdit } from './row-statements';

/** A resource as a change leaves it, and what else was asked of its row. */
export type Written<R = unknown> = Snapshot & { readonly row: R };

/**
 * One change, from its first lock to its record. Everything that writes the inventory does it through a change set:
 * it locks what it touches, remembers how it was, and so the record of the change cannot be forgotten.
 */
export class ChangeSet {
  readonly tx: Transaction;
  private readonly touchedResources = new Map<string, TrackedResource>();
  /** How touched resources were read to be since anything was written. */
  private readonly states = new Map<string, Snapshot>();
  private moment: string | undefined;
  private ruling: ProjectPolicy | undefined;

  constructor(
    readonly ctx: RequestContext,
    private readonly inner: Transaction,
    private readonly note: string | null | undefined,
    /** The time that all it touches bears; absent: that of its own last lock. */
    private readonly fixedMoment?: string,
  ) {
    const execute = (statement: Sql) => {
      this.states.clear();
      return inner.execute(statement);
    };
    this.tx = { ...inner, execute };
  }

  get reason(): string | undefined {
    return reasonOf(this.ctx, this.note);
  }

  /** What rules over the change, where the change itself alters what rules: as it was before. */
  get policy(): ProjectPolicy | undefined {
    return this.ruling;
  }

  /** Has the change held against this, and not against what the project's settings rule when it is made. */
  usePolicy(policy: ProjectPolicy | undefined): void {
    this.ruling = policy;
  }

  get trackedResources(): readonly TrackedResource[] {
    return [...this.touchedResources.values()];
  }

  /**
   * Locks a resource that is to be updated, and all that refers to it may still be added.
   * @throws InventoryError 404 if the caller cannot see it, 412 if the precondition does not hold
   */
  async lock(
    shape: ResourceShape,
    id: number | string,
    precondition?: Precondition,
  ): Promise<LockedResource> {
    return this.lockOne(shape, id, precondition, 'FOR NO KEY UPDATE');
  }

  /** Locks a resource that is to be deleted: until the end, nothing can begin to refer to it. */
  async lockForDelete(
    shape: ResourceShape,
    id: number | string,
    precondition?: Precondition,
  ): Promise<LockedResource> {
    return this.lockOne(shape, id, precondition, 'FOR UPDATE');
  }

  private async lockOne(
    shape: ResourceShape,
    id: number | string,
    precondition: Precondition,
    strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
  ): Promise<LockedResource> {
    const condition = and([
      inScope(shape, visibleProjects(this.ctx)),
      hasVisibleKeys(shape, this.ctx),
      sql`t.id = ${id}::${raw(shape.idType)}`,
    ]);
    const [locked] = await this.lockWhere(shape, condition, strength);
    if (!locked) throw InventoryError.notFound(shape.kind, id);
    requireVersion(precondition, locked.version);
    return locked;
  }

  /** Locks every resource of a project for which a condition over `t` holds, in the order of their ids. */
  async lockAll(shape: ResourceShape, projectId: string, condition: Sql): Promise<LockedResource[]> {
    const ofProject = sql`t.project_id = ${projectId} AND ${ofKind(shape)} AND ${condition}`;
    return this.lockWhere(shape, ofProject, 'FOR NO KEY UPDATE');
  }

  private async lockWhere(shape: ResourceShape, condition: Sql, strength: string): Promise<LockedResource[]> {
    const rows = await this.tx.rows<SnapshotRow & { is_settled: boolean }>(
      lockStatement(shape, condition, strength),
    );
    const [first] = rows;
    if (!first) return [];
    // A statement that waited for a lock sees the row as it is by now, but everything beside it, such as its labels, as
    // it was before the wait. What was changed meanwhile is read by a statement of its own.
    const moved = rows.filter((row) => !row.is_settled).map((row) => row.id);
    const again = moved.length > 0 ? await this.snapshots(shape, first.project_id, moved) : undefined;
    const locked = rows.flatMap((row): LockedResource[] => {
      const snapshot = row.is_settled ? snapshotOf(row) : again?.get(row.id);
      return snapshot ? [{ ...snapshot, shape }] : [];
    });
    for (const before of locked) {
      const { projectId, id } = before;
      if (!this.touchedResources.has(keyOf(shape, projectId, id)))
        this.touch({ shape, projectId, id, before, deleted: false });
    }
    const [last] = again?.values() ?? locked.slice(-1);
    this.moment = this.fixedMoment ?? last?.readAt ?? this.moment;
    return locked;
  }

  /** Creates a resource and answers its id. */
  async insert<E extends ObjectLiteral>(
    shape: ResourceShape,
    entity: Type<E>,
    values: ColumnValues<E> & { readonly project_id: string },
  ): Promise<number> {
    const statement = insertStatement(this.tx, shape, entity, values, sql`t.id`);
    const { id } = onlyRow(await this.writing<{ id: number }>(statement), `a ${shape.kind} was not created`);
    this.created(shape, values.project_id, id);
    return id;
  }

  /**
   * The same in a change that writes nothing else of it: it is read at once.
   * @param columns further columns over `t`
   */
  async insertAndRead<E extends ObjectLiteral, R extends object>(
    shape: ResourceShape,
    entity: Type<E>,
    values: ColumnValues<E> & { readonly project_id: string },
    columns: Sql,
  ): Promise<Written<R>> {
    const statement = insertStatement(this.tx, shape, entity, values, withSnapshot(shape, columns));
    const row = onlyRow(await this.writing<R & SnapshotRow>(statement), `a ${shape.kind} was not created`);
    this.created(shape, values.project_id, row.id);
    return this.remembered(shape, row);
  }

  /** Notes a resource that was created by other means than `insert`. */
  created(shape: ResourceShape, projectId: string, id: number): void {
    this.states.clear();
    this.touch({ shape, projectId, id, before: undefined, deleted: false });
  }

  /** Writes members and variables of a locked resource; its version rises by one. */
  async update<E extends ObjectLiteral>(
    resource: LockedResource,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables?: VariableEdit,
  ): Promise<void> {
    await this.updateRow(resource, entity, values, variables, sql`t.version`);
  }

  /**
   * The same in a change that writes nothing else of the resource: it is read at once.
   * @param columns further columns over `t`
   */
  async updateAndRead<E extends ObjectLiteral, R extends object>(
    resource: LockedResource,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables?: VariableEdit,
    columns?: Sql,
  ): Promise<Written<R>> {
    const { shape } = resource;
    const returning = withSnapshot(shape, columns);
    const row = await this.updateRow<E, R & SnapshotRow>(resource, entity, values, variables, returning);
    return this.remembered(shape, row);
  }

  private async updateRow<E extends ObjectLiteral, T extends Record<string, unknown>>(
    resource: LockedResource,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables: VariableEdit | undefined,
    returning: Sql,
  ): Promise<T> {
    const update = { values, variables, nextVersion: this.nextVersion };
    const rows = await this.writing<T>(updateStatement(this.tx, resource, entity, update, returning));
    return onlyRow(rows, `${resource.shape.kind} ${String(resource.id)} was updated twice`);
  }

  /** The `SET` of an update by hand, for rows that this change set has locked. */
  get nextVersion(): Sql {
    return sql`version = version + 1, updated_at = ${this.moment ?? null}::timestamptz`;
  }

  /**
   * Deletes a resource that was locked for it.
   * @throws InventoryError 409 naming what still uses it, and how many
   */
  async delete(resource: LockedResource): Promise<void> {
    await assertNotReferenced(this.tx, resource);
    const { shape, projectId } = resource;
    const id = shape.idType === 'uuid' ? projectId : resource.id;
    await this.tx.execute(
      sql`DELETE FROM ${raw(shape.table)} t WHERE t.project_id = ${projectId} AND t.id = ${id}::${raw(shape.idType)}`,
    );
    const touched = this.touchedResources.get(keyOf(shape, projectId, resource.id));
    if (!touched) throw new Error(`${shape.kind} ${String(resource.id)} was deleted without a lock`);
    touched.deleted = true;
  }

  /**
   * Holds a resource that the change refers to, so that it cannot go away meanwhile.
   * @throws InventoryError 405 if the project has none with this id
   */
  async lockReference<T extends object = object>(
    field: string,
    shape: ResourceShape,
    projectId: string,
    id: number,
    columns: Sql = sql`t.id`,
  ): Promise<T> {
    const [row] = await this.tx.rows<T & Record<string, unknown>>(sql`SELECT ${columns} ${from(shape)}
      WHERE t.project_id = ${projectId} AND ${ofKind(shape)} AND t.id = ${id} FOR KEY SHARE OF t`);
    if (row) return row;
    throw InventoryError.forbiddenByInventory(
      field,
      `there is no ${shape.kind} ${String(id)} in this project`,
    );
  }

  /** The state of touched resources of one shape by now. */
  async snapshots(
    shape: ResourceShape,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const rows = await this.tx.rows<SnapshotRow>(snapshotStatement(shape, projectId, ids));
    return new Map(rows.map((row) => [row.id, snapshotOf(row)]));
  }

  /** The same, where what was read since anything was written is not read again. */
  async currentStates(
    shape: ResourceShape,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const states = new Map<number, Snapshot>();
    for (const id of ids) {
      const known = this.states.get(keyOf(shape, projectId, id));
      if (known) states.set(id, known);
    }
    const unknown = ids.filter((id) => !states.has(id));
    if (unknown.length > 0)
      for (const [id, state] of await this.snapshots(shape, projectId, unknown)) states.set(id, state);
    return states;
  }

  /**
   * A touched resource by now, read once for the answer and for the record.
   * @param columns further columns over `t`
   */
  async readBack<R extends object>(
    shape: ResourceShape,
    projectId: string,
    id: number,
    columns: Sql,
  ): Promise<Written<R>> {
    const rows = await this.tx.rows<R & SnapshotRow>(snapshotStatement(shape, projectId, [id], columns));
    return this.remembered(shape, onlyRow(rows, `${shape.kind} ${String(id)} is gone, although it is held`));
  }

  private writing<T extends Record<string, unknown>>(statement: Sql): Promise<T[]> {
    this.states.clear();
    return this.inner.rows<T>(statement);
  }

  private remembered<R extends object>(shape: ResourceShape, row: R & SnapshotRow): Written<R> {
    const state = snapshotOf(row);
    this.states.set(keyOf(shape, state.projectId, state.id), state);
    return { ...state, row };
  }

  private touch(touched: TrackedResource): void {
    this.touchedResources.set(keyOf(touched.shape, touched.projectId, touched.id), touched);
  }
}

/** Why a change is made: the header says it, else the body's note. */
export function reasonOf(ctx: RequestContext, note: string | null | undefined): string | undefined {
  const text = note?.trim();
  return ctx.reason ?? (text === '' ? undefined : text);
}

function onlyRow<T>([row]: readonly T[], otherwise: string): T {
  if (row === undefined) throw new Error(otherwise);
  return row;
}

const keyOf = (shape: ResourceShape, projectId: string, id: number): string =>
  `${shape.kind} ${projectId} ${String(id)}`;
