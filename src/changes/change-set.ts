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
import { reasonOf } from './change-reason';
import { assertNotReferenced, lockReferences, type Reference } from './references';
import {
  type CreatedState,
  type LockedResource,
  snapshotOf,
  type SnapshotRow,
  type TrackedResource,
} from './resource-snapshot';
import {
  beforeUpdate,
  deleteStatements,
  hasUnrecorded,
  type ColumnValues,
  insertStatement,
  lockAndUpdateStatement,
  lockStatement,
  updateStatement,
  type VariableEdit,
  type UpdatedRow,
} from './row-statements';
import { onlyRow, RowWriter, type WrittenResource } from './row-writer';
import { TouchedResources } from './touched-resources';

export type { VariableEdit } from './row-statements';
export type { WrittenResource } from './row-writer';

/** How a change set differs from that of a single request. */
export interface ChangeSetOptions {
  /** The `updated_at` of all that it touches; absent: the time of its last lock. */
  readonly fixedTimestamp?: string | undefined;
  /** Whether the versions do not rise, because the change alters nothing. */
  readonly keepsVersions?: boolean;
  /** The id of the only resource that it creates by `insert`; absent: the next one of the sequence. */
  readonly newId?: number | undefined;
  /**
   * Whether a resource is locked by a statement of its own before it is written, so that it is tracked even if the write
   * fails.
   */
  readonly locksFirst?: boolean;
  /** What the earlier parts of the same change have touched: see `part`. */
  readonly earlier?: TouchedResources;
}

/**
 * One change, from its first lock to its record. Everything that writes the inventory uses a change set. It locks what
 * it touches and stores the state before the change, so that no write can bypass the change record.
 */
export class ChangeSet {
  readonly tx: Transaction;
  readonly touched: TouchedResources;
  readonly writer: RowWriter;
  private lockedAt: string | undefined;
  private policyOverride: ProjectPolicy | undefined;
  /** Whether it shares the lock of the project's definitions: see `lockDefinitions`. */
  holdsDefinitionLock = false;
  /** Whether it wrote columns that records do not contain, so that comparing both sides does not show it. */
  writesUnrecorded = false;
  /** What the caller should know about the change, for the response to a dry run. */
  readonly warnings: string[] = [];
  /** The ids of the changes that it reverts. */
  readonly reverts: number[] = [];
  /** Whether it consists of parts, which were validated one by one. */
  hasParts = false;

  constructor(
    readonly ctx: RequestContext,
    private readonly inner: Transaction,
    private readonly note: string | null | undefined,
    private readonly options: ChangeSetOptions = {},
  ) {
    this.touched = new TouchedResources(options.earlier);
    this.writer = new RowWriter(inner);
    this.tx = this.writer.tx;
  }

  get reason(): string | undefined {
    return reasonOf(this.ctx, this.note);
  }

  /** The policy that was set by `usePolicy`. */
  get policy(): ProjectPolicy | undefined {
    return this.policyOverride;
  }

  /**
   * Validates the change against this policy instead of the one in the project's settings: of a change of the settings,
   * against the former ones, and of what is said about a proposal, without the rules for reasons. The first policy counts: a
   * later one may be what the change itself has set.
   */
  usePolicy(policy: ProjectPolicy | undefined): void {
    this.policyOverride ??= policy;
  }

  get trackedResources(): readonly TrackedResource[] {
    return this.touched.recorded;
  }

  /** Begins a part of this change, for one of several operations. `add` adds it, unless its effect is rolled back. */
  part(options: Pick<ChangeSetOptions, 'keepsVersions' | 'newId' | 'locksFirst'>): ChangeSet {
    const part = new ChangeSet(this.ctx, this.inner, this.note, { ...options, earlier: this.touched });
    part.holdsDefinitionLock = this.holdsDefinitionLock;
    this.hasParts = true;
    return part;
  }

  /** Adds a part. @param name the name of its operation, for warnings */
  add({ touched, holdsDefinitionLock, warnings, reverts }: ChangeSet, name?: string): void {
    this.writer.clear();
    this.touched.add(touched);
    this.holdsDefinitionLock ||= holdsDefinitionLock;
    this.reverts.push(...reverts);
    this.warnings.push(...(name === undefined ? warnings : warnings.map((text) => `${name}: ${text}`)));
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
    const reread =
      changed.length > 0 ? await this.writer.read(mapping, first.project_id, changed) : undefined;
    const locked = rows.flatMap((row): LockedResource[] => {
      const snapshot = row.is_current ? snapshotOf(row) : reread?.get(row.id);
      return snapshot ? [{ ...snapshot, mapping }] : [];
    });
    for (const before of locked) this.touched.locked(before);
    const [last] = reread?.values() ?? locked.slice(-1);
    this.lockedAt = this.options.fixedTimestamp ?? last?.readAt ?? this.lockedAt;
    return locked;
  }

  /** Creates a resource. @returns its id */
  async insert<E extends ObjectLiteral>(
    mapping: ResourceMapping,
    entity: Type<E>,
    values: ColumnValues<E> & { readonly project_id: string },
  ): Promise<number> {
    const statement = insertStatement(this.tx, mapping, entity, values, sql`t.id`, [], this.options.newId);
    const { id } = onlyRow(
      await this.writer.write<{ id: number }>(statement),
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
    const { newId } = this.options;
    const [combined] = await this.tryCombined<R>(mapping, columns, 'variables' in values, (returning) =>
      insertStatement(this.tx, mapping, entity, values, returning, references, newId),
    );
    if (combined) {
      this.created(mapping, projectId, combined.id);
      return this.writer.keep(mapping, combined);
    }
    await lockReferences(this.tx, projectId, references);
    const rows = await this.writer.writeAndRead<R>(mapping, projectId, columns, (returning) =>
      insertStatement(this.tx, mapping, entity, values, returning, [], newId),
    );
    const row = onlyRow(rows, `a ${mapping.kind} was not created`);
    this.created(mapping, values.project_id, row.id);
    return this.writer.keep(mapping, row);
  }

  /** Tracks a resource that was created by another statement than that of `insert`. */
  created(mapping: ResourceMapping, projectId: string, id: number): void {
    this.writer.clear();
    this.touched.created(mapping, projectId, id);
  }

  /**
   * Tracks such a resource with its state, which a part of a large change must know: it does not read what it creates.
   * @param state how this change set leaves the resource
   */
  createdWithState(mapping: ResourceMapping, state: CreatedState): void {
    this.writer.clear();
    this.touched.created(mapping, state.projectId, state.id, state);
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
    onlyRow(await this.writer.write(statement), updatedTwice(resource));
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
    const rows = await this.writer.writeAndRead<R>(mapping, projectId, columns, (returning) =>
      updateStatement(this.tx, resource, entity, update, returning),
    );
    return this.writer.keep(mapping, onlyRow(rows, updatedTwice(resource)));
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
    const { fixedTimestamp: updatedAt, keepsVersions: keepsVersion = false } = this.options;
    const update = { values, variables, precondition, updatedAt, keepsVersion };
    const setsVariables = variables !== undefined && 'merge' in variables;
    const [row] = this.options.locksFirst
      ? []
      : await this.tryCombined<R & UpdatedRow>(mapping, columns, setsVariables, (returning) =>
          lockAndUpdateStatement(this.tx, mapping, condition, entity, update, returning),
        );
    if (!row) {
      const before = await this.lock(mapping, id, precondition);
      return { before, after: await this.updateAndRead(before, entity, values, variables, columns) };
    }
    const before = { ...beforeUpdate(row), mapping };
    this.touched.locked(before);
    this.lockedAt = this.options.fixedTimestamp ?? before.readAt;
    return { before, after: this.writer.keep(mapping, row) };
  }

  /** The `SET` clause of a hand-written update of rows that this change set has locked. */
  get nextVersion(): Sql {
    if (this.options.keepsVersions) return sql`version = version`;
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
    for (const statement of deleteStatements(resource)) await this.tx.execute(statement);
    this.touched.deleted(resource);
  }

  private async tryCombined<R extends object>(
    mapping: ResourceMapping,
    columns: Sql | undefined,
    setsVariables: boolean,
    write: (returning: Sql) => Sql,
  ): Promise<(R & SnapshotRow)[]> {
    const rows = await this.writer.tryCombined<R>(mapping, columns, setsVariables, write);
    this.holdsDefinitionLock ||= setsVariables && rows.length > 0;
    return rows;
  }
}

const updatedTwice = ({ mapping, id }: LockedResource): string =>
  `${mapping.kind} ${String(id)} was updated twice`;
