import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import type { ProjectPolicy } from '../auth/project-policies';
import { visibleProjects, type RequestContext } from '../shared/context/request-context';
import { InventoryError } from '../shared/errors/inventory-error';
import { requireVersion, type Precondition } from '../shared/http/etag';
import type { JsonInput } from '../shared/json/json-input';
import type { Transaction } from '../shared/persistence/database';
import { and, list, raw, sql, type Sql } from '../shared/persistence/sql';
import { from, inScope, namesVisibleKeys, ofKind } from '../shared/resources/projection';
import type { ResourceShape } from '../shared/resources/resource-shape';
import { snapshotColumns, snapshotId, snapshotOf, type SnapshotRow } from './snapshot';
import type { Locked, Touched } from './touched';

/** What happens to a resource's variables in an update: laid over what is there, or taken away. */
export type VariableEdit = { readonly merge: JsonInput } | { readonly remove: readonly string[] };

/** Members to write; those that are undefined stay as they are. */
type Values<E> = { readonly [M in keyof E]?: E[M] | JsonInput | undefined };

/**
 * One change, from its first lock to its record. Everything that writes the inventory does it through a change set:
 * it locks what it touches, remembers how it was, and so the record of the change cannot be forgotten.
 */
export class ChangeSet {
  private readonly touchedResources = new Map<string, Touched>();
  private moment: string | undefined;
  private ruling: ProjectPolicy | undefined;

  constructor(
    readonly ctx: RequestContext,
    readonly tx: Transaction,
    private readonly note: string | null | undefined,
    /** The time that all it touches bears; absent: that of its own last lock. */
    private readonly fixedMoment?: string,
  ) {}

  get reason(): string | undefined {
    return reasonOf(this.ctx, this.note);
  }

  /** What rules over the change, where the change itself alters what rules: as it was before. */
  get ruledBy(): ProjectPolicy | undefined {
    return this.ruling;
  }

  /** Has the change held against this, and not against what the project's settings rule when it is made. */
  beRuledBy(policy: ProjectPolicy | undefined): void {
    this.ruling = policy;
  }

  get touched(): readonly Touched[] {
    return [...this.touchedResources.values()];
  }

  /**
   * Locks a resource that is to be updated, and all that refers to it may still be added.
   * @throws InventoryError 404 if the caller cannot see it, 412 if the precondition does not hold
   */
  async lock(shape: ResourceShape, id: number | string, precondition?: Precondition): Promise<Locked> {
    return this.lockOne(shape, id, precondition, 'FOR NO KEY UPDATE');
  }

  /** Locks a resource that is to be deleted: until the end, nothing can begin to refer to it. */
  async lockForDelete(
    shape: ResourceShape,
    id: number | string,
    precondition?: Precondition,
  ): Promise<Locked> {
    return this.lockOne(shape, id, precondition, 'FOR UPDATE');
  }

  private async lockOne(
    shape: ResourceShape,
    id: number | string,
    precondition: Precondition,
    strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE',
  ): Promise<Locked> {
    const condition = and([
      inScope(shape, visibleProjects(this.ctx)),
      namesVisibleKeys(shape, this.ctx),
      sql`t.id = ${id}::${raw(shape.idType)}`,
    ]);
    const [locked] = await this.lockWhere(shape, condition, strength);
    if (!locked) throw InventoryError.notFound(shape.kind, id);
    requireVersion(precondition, locked.version);
    return locked;
  }

  /** Locks every resource of a project for which a condition over `t` holds, in the order of their ids. */
  async lockAll(shape: ResourceShape, projectId: string, condition: Sql): Promise<Locked[]> {
    const ofProject = sql`t.project_id = ${projectId} AND ${ofKind(shape)} AND ${condition}`;
    return this.lockWhere(shape, ofProject, 'FOR NO KEY UPDATE');
  }

  private async lockWhere(shape: ResourceShape, condition: Sql, strength: string): Promise<Locked[]> {
    const held = await this.tx.rows<{ project_id: string; id: number }>(sql`
      SELECT t.project_id, ${snapshotId(shape)} AS id ${from(shape)}
      WHERE ${condition} ORDER BY t.id ${raw(strength)} OF t`);
    const [first] = held;
    if (!first) return [];
    // Read by a statement of its own: one that waits for a lock then sees the row as it is by now, but everything
    // beside it, such as its labels, as it was before the wait.
    const ids = held.map((row) => row.id);
    const snapshots = await this.snapshots(shape, first.project_id, ids);
    return ids.flatMap((id) => {
      const snapshot = snapshots.get(id);
      if (!snapshot) return [];
      const locked: Locked = { ...snapshot, shape };
      this.moment = this.fixedMoment ?? snapshot.readAt;
      const key = keyOf(shape, locked.projectId, id);
      if (!this.touchedResources.has(key))
        this.touch({ shape, projectId: locked.projectId, id, before: locked, deleted: false });
      return [locked];
    });
  }

  /** Creates a resource and answers its id. */
  async insert<E extends ObjectLiteral>(
    shape: ResourceShape,
    entity: Type<E>,
    values: Values<E> & { readonly project_id: string },
  ): Promise<number> {
    const { columns, parameters } = columnsOf(values);
    const result = await this.tx.entities
      .createQueryBuilder()
      .insert()
      .into(entity)
      .values(columns as never)
      .setParameters(parameters)
      .returning('id')
      .updateEntity(false)
      .execute();
    const id = Number((result.raw as { id: string }[])[0]?.id);
    this.created(shape, values.project_id, id);
    return id;
  }

  /** Notes a resource that was created by other means than `insert`. */
  created(shape: ResourceShape, projectId: string, id: number): void {
    this.touch({ shape, projectId, id, before: undefined, deleted: false });
  }

  /** Writes members and variables of a locked resource; its version rises by one. */
  async update<E extends ObjectLiteral>(
    resource: Locked,
    entity: Type<E>,
    values: Values<E>,
    variables?: VariableEdit,
  ): Promise<void> {
    const { columns, parameters } = columnsOf(values);
    const edit = variables && editOf(variables);
    const result = await this.tx.entities
      .createQueryBuilder()
      .update(entity)
      .set({
        ...columns,
        ...(edit ? { variables: () => edit.text } : {}),
        version: () => 'version + 1',
        updated_at: () => 'CAST(:locked_at AS timestamptz)',
      } as never)
      .where('project_id = :locked_project AND id = :locked_id AND version = :locked_version')
      .setParameters({
        ...parameters,
        ...edit?.parameters,
        locked_at: this.moment,
        locked_project: resource.projectId,
        locked_id: resource.shape.idType === 'uuid' ? resource.projectId : resource.id,
        locked_version: resource.version,
      })
      .execute();
    if (result.affected !== 1)
      throw new Error(`${resource.shape.kind} ${String(resource.id)} was updated twice`);
  }

  /** The `SET` of an update by hand, for rows that this change set has locked. */
  get nextVersion(): Sql {
    return sql`version = version + 1, updated_at = ${this.moment ?? null}::timestamptz`;
  }

  /**
   * Deletes a resource that was locked for it.
   * @throws InventoryError 409 naming what still uses it, and how many
   */
  async delete(resource: Locked): Promise<void> {
    await this.requireUnused(resource);
    const { shape, projectId } = resource;
    const id = shape.idType === 'uuid' ? projectId : resource.id;
    await this.tx.execute(
      sql`DELETE FROM ${raw(shape.table)} t WHERE t.project_id = ${projectId} AND t.id = ${id}::${raw(shape.idType)}`,
    );
    const touched = this.touchedResources.get(keyOf(shape, projectId, resource.id));
    if (!touched) throw new Error(`${shape.kind} ${String(resource.id)} was deleted without a lock`);
    touched.deleted = true;
  }

  private async requireUnused({ shape, projectId, id, name }: Locked): Promise<void> {
    const uses: string[] = [];
    for (const { table, column, noun } of shape.usedBy) {
      const of = shape.idType === 'uuid' ? sql`true` : sql`${raw(column)} = ${id}`;
      const [row] = await this.tx.rows<{ uses: number }>(
        sql`SELECT count(*) AS uses FROM ${raw(table)} WHERE project_id = ${projectId} AND ${of}`,
      );
      if (row && row.uses > 0) uses.push(`${String(row.uses)} ${noun}`);
    }
    if (uses.length === 0) return;
    throw new InventoryError(
      'conflict',
      `The ${shape.kind} ${name} is still used by ${uses.join(', ')}.`,
      uses.map((use) => ({ field: 'id', message: `still used by ${use}` })),
    );
  }

  /**
   * Holds a resource that the change refers to, so that it cannot go away meanwhile.
   * @throws InventoryError 405 if the project has none with this id
   */
  async refer<T extends object = object>(
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
  async snapshots(shape: ResourceShape, projectId: string, ids: readonly number[]) {
    const which =
      shape.idType === 'uuid' ? sql`t.id = ${projectId}` : sql`t.id = ANY(${list(ids)}::bigint[])`;
    const rows = await this.tx.rows<SnapshotRow>(
      sql`SELECT ${snapshotColumns(shape)} ${from(shape)} WHERE t.project_id = ${projectId} AND ${which}`,
    );
    return new Map(rows.map((row) => [row.id, snapshotOf(row)]));
  }

  private touch(touched: Touched): void {
    this.touchedResources.set(keyOf(touched.shape, touched.projectId, touched.id), touched);
  }
}

/** Why a change is made: the header says it, else the body's note. */
export function reasonOf(ctx: RequestContext, note: string | null | undefined): string | undefined {
  const text = note?.trim();
  return ctx.reason ?? (text === '' ? undefined : text);
}

const keyOf = (shape: ResourceShape, projectId: string, id: number): string =>
  `${shape.kind} ${projectId} ${String(id)}`;

/** Values as TypeORM takes them: JSON from a client becomes an expression over the request's own text. */
function columnsOf(values: object): {
  columns: Record<string, unknown>;
  parameters: Record<string, unknown>;
} {
  const columns: Record<string, unknown> = {};
  const parameters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (value === undefined) continue;
    if (isJsonInput(value)) {
      const { text, parameters: own } = value.expression(name);
      columns[name] = () => text;
      Object.assign(parameters, own);
    } else columns[name] = value;
  }
  return { columns, parameters };
}

const isJsonInput = (value: unknown): value is JsonInput =>
  typeof value === 'object' && value !== null && 'expression' in value;

function editOf(edit: VariableEdit): { text: string; parameters: Readonly<Record<string, unknown>> } {
  if ('remove' in edit)
    return { text: 'variables - CAST(:removed_keys AS text[])', parameters: { removed_keys: edit.remove } };
  const merged = edit.merge.expression('merged');
  return { text: `variables || ${merged.text}`, parameters: merged.parameters };
}
