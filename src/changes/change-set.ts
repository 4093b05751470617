import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import type { ProjectPolicy } from '../auth/project-policies';
import { type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { requireVersion, type Precondition } from '../http/preconditions';
import type { Transaction } from '../database/database';
import { and, raw, sql, type Sql } from '../database/sql';
import { inScope, hasVisibleKeys, ofKind } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';
import type { ResourceMapping } from '../database/resource-mapping';
import { sharedDefinitionLock } from './definition-lock';
import { reasonOf } from './change-reason';
import { assertNotReferenced, lockReferences, type Reference } from './references';
import {
  beforeUpdate,
  hasUnrecorded,
  type ColumnValues,
  insertStatement,
  lockAndUpdateStatement,
  lockStatement,
  snapshotStatement,
  updateStatement,
  type VariableEdit,
  withSnapshot,
  type LockedResource,
  type Snapshot,
  snapshotOf,
  type SnapshotRow,
  type TrackedResource,
  type UpdatedRow,
} from './row-statements';

export type { VariableEdit } from './row-statements';

/** A resource after a write, with the further columns that were read from its row. */
export type WrittenResource<R = unknown> = Snapshot & { readonly row: R };

/**
 * One change, from its first lock to its record. Everything that writes the inventory uses a change set. It locks what
 * it touches and stores the state before the change, so that no write can bypass the change record.
 */
export class ChangeSet {
  readonly tx: Transaction;
  private readonly touchedResources = new Map<string, TrackedResource>();
  /** A cache of the states of touched resources. Every write clears it. */
  private readonly states = new Map<string, Snapshot>();
  private lockedAt: string | undefined;
  private policyOverride: ProjectPolicy | undefined;
  /** Whether it shares the lock of the project's definitions: see `lockDefinitions`. */
  holdsDefinitionLock = false;
  /** Whether it wrote columns that records do not contain, so that comparing both sides does not show it. */
  writesUnrecorded = false;
  /** What the caller should know about the change, for the response to a dry run. */
  readonly warnings: string[] = [];

  constructor(
    readonly ctx: RequestContext,
    private readonly inner: Transaction,
    private readonly note: string | null | undefined,
    /** The `updated_at` of all that it touches; absent: the time of its last lock. */
    private readonly fixedTimestamp?: string,
    /** Whether the versions do not rise, because the change alters nothing. */
    private readonly keepsVersions = false,
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

  /** The policy that was set by `usePolicy`. */
  get policy(): ProjectPolicy | undefined {
    return this.policyOverride;
  }

  /**
   * Validates the change against this policy instead of the one in the project's settings. Used by changes that alter
   * the settings. The first policy counts: a later one may be what the change itself has set.
   */
  usePolicy(policy: ProjectPolicy | undefined): void {
    this.policyOverride ??= policy;
  }

  get trackedResources(): readonly TrackedResource[] {
    return [...this.touchedResources.values()];
  }

  /**
   * Locks a resource for an update. Other transactions can still add references to it.
   * @throws InventoryError 404 if the caller cannot see it, 412 if the precondition does not hold
   */
  async lock(
    mapping: ResourceMapping,
    id: number | string,
    precondition?: Precondition,
  ): Promise<LockedResource> {
    return this.lockOne(mapping, id, precondition, 'FOR NO KEY UPDATE');
  }

  /** Locks a resource for its deletion. No other transaction can add a reference to it before this one ends. */
  async lockForDelete(
    mapping: ResourceMapping,
    id: number | string,
    precondition?: Precondition,
  ): Promise<LockedResource> {
    return this.lockOne(mapping, id, precondition, 'FOR UPDATE');
  }

  private async lockOne(
    mapping: ResourceMapping,
    id: number | string,
    precondition: Precondition,
    strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
  ): Promise<LockedResource> {
    const [locked] = await this.lockWhere(mapping, await this.isOne(mapping, id), strength);
    if (!locked) throw InventoryError.notFound(mapping.kind, id);
    requireVersion(precondition, locked.version);
    return locked;
  }

  /** A condition over `t` for one resource, if the caller can see it. */
  private async isOne(mapping: ResourceMapping, id: number | string): Promise<Sql> {
    return and([
      inScope(mapping, await scopeOfResource(this.ctx, mapping, id, this.tx)),
      hasVisibleKeys(mapping, this.ctx),
      sql`t.id = ${id}::${raw(mapping.idType)}`,
    ]);
  }

  /** Locks every resource of a project that fulfils a condition over `t`, in the order of their ids. */
  async lockAll(mapping: ResourceMapping, projectId: string, condition: Sql): Promise<LockedResource[]> {
    const ofProject = sql`t.project_id = ${projectId} AND ${ofKind(mapping)} AND ${condition}`;
    return this.lockWhere(mapping, ofProject, 'FOR NO KEY UPDATE');
  }

  private async lockWhere(
    mapping: ResourceMapping,
    condition: Sql,
    strength: string,
  ): Promise<LockedResource[]> {
    const rows = await this.tx.rows<SnapshotRow & { is_current: boolean }>(
      lockStatement(mapping, condition, strength),
    );
    const [first] = rows;
    if (!first) return [];
    // A statement that waited for a lock sees the current row, but related rows, such as labels, as they were before
    // the wait. Rows that changed meanwhile are read again by a new statement.
    const changed = rows.filter((row) => !row.is_current).map((row) => row.id);
    const reread = changed.length > 0 ? await this.snapshots(mapping, first.project_id, changed) : undefined;
    const locked = rows.flatMap((row): LockedResource[] => {
      const snapshot = row.is_current ? snapshotOf(row) : reread?.get(row.id);
      return snapshot ? [{ ...snapshot, mapping }] : [];
    });
    for (const before of locked) this.touchLocked(before);
    const [last] = reread?.values() ?? locked.slice(-1);
    this.lockedAt = this.fixedTimestamp ?? last?.readAt ?? this.lockedAt;
    return locked;
  }

  /** Creates a resource. @returns its id */
  async insert<E extends ObjectLiteral>(
    mapping: ResourceMapping,
    entity: Type<E>,
    values: ColumnValues<E> & { readonly project_id: string },
  ): Promise<number> {
    const statement = insertStatement(this.tx, mapping, entity, values, sql`t.id`);
    const { id } = onlyRow(
      await this.writeRows<{ id: number }>(statement),
      `a ${mapping.kind} was not created`,
    );
    this.created(mapping, values.project_id, id);
    return id;
  }

  /**
   * Creates a resource, locks what it refers to, and reads it, in the same statement if possible. The change must not write
   * to it afterwards. If the statement waits for a concurrent change of a reference, what it reads of that is older.
   * @param columns further columns over `t`
   * @throws InventoryError of `lockReferences`
   */
  async insertAndRead<E extends ObjectLiteral, R extends object>(
    mapping: ResourceMapping,
    entity: Type<E>,
    values: ColumnValues<E> & { readonly project_id: string },
    columns: Sql,
    references: readonly Reference[] = [],
  ): Promise<WrittenResource<R>> {
    const projectId = values.project_id;
    const [combined] = await this.tryCombined<R & SnapshotRow>(
      (returning) => insertStatement(this.tx, mapping, entity, values, returning, references),
      withSnapshot(mapping, columns),
      'variables' in values,
    );
    if (combined) {
      this.created(mapping, projectId, combined.id);
      return this.cacheState(mapping, combined);
    }
    await lockReferences(this.tx, projectId, references);
    const rows = await this.writeAndRead<R>(mapping, projectId, columns, (returning) =>
      insertStatement(this.tx, mapping, entity, values, returning),
    );
    const row = onlyRow(rows, `a ${mapping.kind} was not created`);
    this.created(mapping, values.project_id, row.id);
    return this.cacheState(mapping, row);
  }

  /** Tracks a resource that was not created by `insert`. */
  created(mapping: ResourceMapping, projectId: string, id: number): void {
    this.states.clear();
    this.touch({ mapping, projectId, id, before: undefined, deleted: false });
  }

  /** Writes members and variables of a locked resource, and increments its version. */
  async update<E extends ObjectLiteral>(
    resource: LockedResource,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables?: VariableEdit,
  ): Promise<void> {
    this.writesUnrecorded ||= hasUnrecorded(resource.mapping, values);
    const update = { values, variables, nextVersion: this.nextVersion };
    const statement = updateStatement(this.tx, resource, entity, update, sql`t.version`);
    onlyRow(await this.writeRows(statement), updatedTwice(resource));
  }

  /**
   * Updates a resource and reads it. The change must not write to it afterwards.
   * @param columns further columns over `t`
   */
  async updateAndRead<E extends ObjectLiteral, R extends object>(
    resource: LockedResource,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables?: VariableEdit,
    columns?: Sql,
  ): Promise<WrittenResource<R>> {
    const { mapping, projectId } = resource;
    this.writesUnrecorded ||= hasUnrecorded(mapping, values);
    const update = { values, variables, nextVersion: this.nextVersion };
    const rows = await this.writeAndRead<R>(mapping, projectId, columns, (returning) =>
      updateStatement(this.tx, resource, entity, update, returning),
    );
    return this.cacheState(mapping, onlyRow(rows, updatedTwice(resource)));
  }

  /**
   * Locks a resource, updates it and reads both states, in one statement unless it has to wait for a concurrent change. The
   * change must not write to it afterwards.
   * @param columns further columns over `t`
   * @throws InventoryError 404, 412, like `lock`
   */
  async lockAndUpdate<E extends ObjectLiteral, R extends object>(
    mapping: ResourceMapping,
    id: number,
    precondition: Precondition,
    entity: Type<E>,
    values: ColumnValues<E>,
    variables?: VariableEdit,
    columns?: Sql,
  ): Promise<{ readonly before: LockedResource; readonly after: WrittenResource<R> }> {
    const condition = await this.isOne(mapping, id);
    this.writesUnrecorded ||= hasUnrecorded(mapping, values);
    const time = { updatedAt: this.fixedTimestamp, keepsVersion: this.keepsVersions };
    const update = { values, variables, precondition, ...time };
    const [row] = await this.tryCombined<R & UpdatedRow>(
      (returning) => lockAndUpdateStatement(this.tx, mapping, condition, entity, update, returning),
      withSnapshot(mapping, columns),
      variables !== undefined && 'merge' in variables,
    );
    if (!row) {
      const before = await this.lock(mapping, id, precondition);
      return { before, after: await this.updateAndRead(before, entity, values, variables, columns) };
    }
    const before = { ...beforeUpdate(row), mapping };
    this.touchLocked(before);
    this.lockedAt = this.fixedTimestamp ?? before.readAt;
    return { before, after: this.cacheState(mapping, row) };
  }

  /** The `SET` clause of a hand-written update of rows that this change set has locked. */
  get nextVersion(): Sql {
    if (this.keepsVersions) return sql`version = version`;
    return sql`version = version + 1, updated_at = ${this.lockedAt ?? null}::timestamptz`;
  }

  /**
   * Deletes a resource that was locked by `lockForDelete`, and its assignments of labels.
   * @param prepare deletes what belongs to the resource, once nothing refers to it
   * @throws InventoryError 409 with the number of references of each kind
   */
  async delete(
    resource: LockedResource,
    prepare?: (change: ChangeSet, resource: LockedResource) => Promise<void>,
  ): Promise<void> {
    await assertNotReferenced(this.tx, resource);
    await prepare?.(this, resource);
    const { mapping, projectId } = resource;
    const id = mapping.idType === 'uuid' ? projectId : resource.id;
    if (mapping.labels) {
      const { table, owner } = mapping.labels;
      await this.tx.execute(
        sql`DELETE FROM ${raw(table)} a WHERE a.project_id = ${projectId} AND a.${raw(owner)} = ${id}`,
      );
    }
    await this.tx.execute(
      sql`DELETE FROM ${raw(mapping.table)} t WHERE t.project_id = ${projectId} AND t.id = ${id}::${raw(mapping.idType)}`,
    );
    const touched = this.touchedResources.get(keyOf(mapping, projectId, resource.id));
    if (!touched) throw new Error(`${mapping.kind} ${String(resource.id)} was deleted without a lock`);
    touched.deleted = true;
  }

  /** Reads the current state of touched resources of one mapping. */
  async snapshots(
    mapping: ResourceMapping,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const rows = await this.tx.rows<SnapshotRow>(snapshotStatement(mapping, projectId, ids));
    return new Map(rows.map((row) => [row.id, snapshotOf(row)]));
  }

  /** Like `snapshots`, but uses states that were read since the last write. */
  async currentStates(
    mapping: ResourceMapping,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const states = new Map<number, Snapshot>();
    for (const id of ids) {
      const cached = this.states.get(keyOf(mapping, projectId, id));
      if (cached) states.set(id, cached);
    }
    const uncached = ids.filter((id) => !states.has(id));
    if (uncached.length > 0)
      for (const [id, state] of await this.snapshots(mapping, projectId, uncached)) states.set(id, state);
    return states;
  }

  /**
   * Reads the current state of a touched resource, once for the response and for the record.
   * @param columns further columns over `t`
   */
  async readBack<R extends object>(
    mapping: ResourceMapping,
    projectId: string,
    id: number,
    columns: Sql | undefined,
  ): Promise<WrittenResource<R>> {
    const rows = await this.tx.rows<R & SnapshotRow>(snapshotStatement(mapping, projectId, [id], columns));
    return this.cacheState(
      mapping,
      onlyRow(rows, `${mapping.kind} ${String(id)} does not exist although it is locked`),
    );
  }

  private writeRows<T extends Record<string, unknown>>(statement: Sql): Promise<T[]> {
    this.states.clear();
    return this.inner.rows<T>(statement);
  }

  private writeAndRead<R extends object>(
    mapping: ResourceMapping,
    projectId: string,
    columns: Sql | undefined,
    write: (returning: Sql) => Sql,
  ): Promise<(R & SnapshotRow)[]> {
    this.states.clear();
    return this.inner.writeRow<R & SnapshotRow>({
      write,
      columns: withSnapshot(mapping, columns),
      read: (id) => snapshotStatement(mapping, projectId, [id], columns),
    });
  }

  /**
   * Runs a statement that locks and writes. It also takes the lock of the project's definitions if it sets variables.
   * @returns no row if it wrote nothing: then the locks have to be taken by statements of their own
   */
  private async tryCombined<T extends SnapshotRow>(
    write: (returning: Sql) => Sql,
    columns: Sql,
    setsVariables: boolean,
  ): Promise<T[]> {
    this.states.clear();
    const locked = sql`${columns}, ${sharedDefinitionLock(sql`t.project_id`)} AS definitions_lock`;
    const rows = await this.inner.tryCombined<T>(write(setsVariables ? locked : columns));
    this.holdsDefinitionLock ||= setsVariables && rows.length > 0;
    return rows;
  }

  private cacheState<R extends object>(mapping: ResourceMapping, row: R & SnapshotRow): WrittenResource<R> {
    const state = snapshotOf(row);
    this.states.set(keyOf(mapping, state.projectId, state.id), state);
    return { ...state, row };
  }

  private touchLocked(before: LockedResource): void {
    const { mapping, projectId, id } = before;
    if (!this.touchedResources.has(keyOf(mapping, projectId, id)))
      this.touch({ mapping, projectId, id, before, deleted: false });
  }

  private touch(touched: TrackedResource): void {
    this.touchedResources.set(keyOf(touched.mapping, touched.projectId, touched.id), touched);
  }
}

function onlyRow<T>([row]: readonly T[], message: string): T {
  if (row === undefined) throw new Error(message);
  return row;
}

const updatedTwice = ({ mapping, id }: LockedResource): string =>
  `${mapping.kind} ${String(id)} was updated twice`;

const keyOf = (mapping: ResourceMapping, projectId: string, id: number): string =>
  `${mapping.kind} ${projectId} ${String(id)}`;
