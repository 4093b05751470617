import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { JsonInput } from '../database/json-input';
import type { Transaction } from '../database/database';
import type { Precondition } from '../http/preconditions';
import { join, arrayParameter, raw, sql, type Sql } from '../database/sql';
import { from, ofKind } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { compareCodePoints } from '../core/code-points';
import { lockReferenceStatement, type Reference } from './references';
import {
  type LockedResource,
  type Snapshot,
  snapshotColumns,
  snapshotOf,
  type SnapshotRow,
} from './resource-snapshot';

/** Members to write. Undefined members are not changed. */
export type ColumnValues<E> = { readonly [M in keyof E]?: E[M] | JsonInput | undefined };

/** A column of a table and its new value. */
interface WrittenColumn {
  readonly name: Sql;
  readonly value: Sql;
}

/**
 * Converts members to columns of their entity. The query builder is not used: its statements are parsed and planned
 * each time, which takes longer than to execute them. Statements built from these columns are prepared once per
 * connection.
 */
function columnsOf<E extends ObjectLiteral>(
  { entities }: Transaction,
  entity: Type<E>,
  values: ColumnValues<E>,
): WrittenColumn[] {
  const { dataSource } = entities;
  const metadata = dataSource.getMetadata(entity);
  // Sorted, so that requests with the same members share one prepared statement.
  const given = Object.entries(values as Record<string, unknown>).sort(([a], [b]) => compareCodePoints(a, b));
  return given.flatMap(([member, of]) => {
    if (of === undefined) return [];
    const column = metadata.findColumnWithPropertyName(member);
    if (!column) throw new Error(`${metadata.name} has no column for ${member}`);
    // The value as TypeORM stores it. JSON from a client is an SQL expression over the text of the request.
    const stored = (): unknown => dataSource.driver.preparePersistentValue(of, column);
    const written = of instanceof JsonInput ? of.sql : sql`${stored()}`;
    return [{ name: raw(`"${column.databaseName}"`), value: written }];
  });
}

/** The discriminator column of an entity; empty if its table holds only one entity. */
function columnKind<E extends ObjectLiteral>({ entities }: Transaction, entity: Type<E>): WrittenColumn[] {
  const { discriminatorColumn: column, discriminatorValue: kind } = entities.dataSource.getMetadata(entity);
  return column ? [{ name: raw(`"${column.databaseName}"`), value: sql`${kind}` }] : [];
}

/** An update of a resource's variables: keys to set, or keys to remove. */
export type VariableEdit = { readonly merge: JsonInput } | { readonly remove: readonly string[] };

/** Whether an update writes columns that snapshots do not have: comparing both sides does not show whether they change. */
export const hasUnrecorded = (mapping: ResourceMapping, values: object): boolean =>
  Object.entries(values).some(([column, value]) => value !== undefined && !(column in mapping.fields));

/**
 * Locks resources `t` and reads their current state. `is_current` is false if a row changed while the statement waited
 * for its lock: then related rows, such as labels, are older than the row. Every write increments the version. The
 * locked row is the newest one, while the subquery sees the row as of the start of the statement.
 */
export function lockStatement(mapping: ResourceMapping, condition: Sql, strength: string): Sql {
  const beginning = sql`SELECT o.version FROM ${raw(mapping.table)} o WHERE o.project_id = t.project_id AND o.id = t.id`;
  return sql`SELECT ${snapshotColumns(mapping)}, t.version = (${beginning}) AS is_current ${from(mapping)}
    WHERE ${condition} ORDER BY t.id ${raw(strength)} OF t`;
}

/** Locks resources that are going to be updated, and reads their ids, in order. @param condition over `t` */
export const lockIdsStatement = (mapping: ResourceMapping, projectId: string, condition: Sql): Sql =>
  sql`SELECT t.id ${from(mapping)} WHERE t.project_id = ${projectId} AND ${ofKind(mapping)} AND ${condition}
    ORDER BY t.id FOR NO KEY UPDATE OF t`;

/**
 * @param returning columns over `t`
 * @param references resources to lock first. If one does not exist or does not fulfil its condition, nothing is inserted
 * @param id the id that was allocated for the resource; absent: the next one of the sequence
 */
export function insertStatement<E extends ObjectLiteral>(
  tx: Transaction,
  mapping: ResourceMapping,
  entity: Type<E>,
  values: ColumnValues<E> & { readonly project_id: string },
  returning: Sql,
  references: readonly Reference[] = [],
  id?: number,
): Sql {
  const given = id === undefined ? [] : [{ name: raw('id'), value: sql`${id}::bigint` }];
  const columns = [...given, ...columnsOf(tx, entity, values), ...columnKind(tx, entity)];
  const overriding = raw(id === undefined ? '' : 'OVERRIDING SYSTEM VALUE');
  const inserted = join(columns.map(({ value }) => value));
  const locked = references.map((reference, i) => {
    const lock = lockReferenceStatement(values.project_id, reference, sql``, reference.requires?.condition);
    return sql`(${lock}) AS ${raw(`reference${String(i)}`)}`;
  });
  return sql`INSERT INTO ${raw(mapping.table)} AS t (${join(columns.map(({ name }) => name))}) ${overriding}
    ${locked.length === 0 ? sql`VALUES (${inserted})` : sql`SELECT ${inserted} FROM ${join(locked)}`} RETURNING ${returning}`;
}

/** An update of a locked resource. */
export interface RowUpdate<E> {
  readonly values: ColumnValues<E>;
  readonly variables: VariableEdit | undefined;
  /** The `SET` clause for its next version. */
  readonly nextVersion: Sql;
}

/** @param returning columns over `t` */
export function updateStatement<E extends ObjectLiteral>(
  tx: Transaction,
  { mapping, projectId, id, version }: LockedResource,
  entity: Type<E>,
  { values, variables, nextVersion }: RowUpdate<E>,
  returning: Sql,
): Sql {
  const set = columnAssignments(tx, entity, values, variables);
  return sql`UPDATE ${raw(mapping.table)} t SET ${join([...set, nextVersion], ', ')}
    WHERE t.project_id = ${projectId} AND t.id = ${mapping.idType === 'uuid' ? projectId : id} AND t.version = ${version}
    RETURNING ${returning}`;
}

/** The state of an updated resource, and its state before. */
export interface UpdatedRow extends SnapshotRow {
  before_version: number;
  before_name: string;
  before_in_region: number | null;
  before_in_cell: number | null;
  before_variables: string | null;
  before_label_ids: number[] | null;
  before_read_at: string;
  before_members: string;
}

/** The state before an update. */
export const beforeUpdate = (row: UpdatedRow): Snapshot =>
  snapshotOf({
    project_id: row.project_id,
    id: row.id,
    version: row.before_version,
    name: row.before_name,
    in_region: row.before_in_region,
    in_cell: row.before_in_cell,
    variables: row.before_variables,
    label_ids: row.before_label_ids,
    read_at: row.before_read_at,
    members: row.before_members,
  });

/** An update of a resource that the same statement locks. */
export interface LockingUpdate<E> extends Omit<RowUpdate<E>, 'nextVersion'> {
  /** Absent: the time of the lock. */
  readonly updatedAt: string | undefined;
  readonly precondition: Precondition;
  /** Whether the version does not rise, because the update alters nothing. */
  readonly keepsVersion: boolean;
}

/**
 * Locks a resource and updates it. It returns no row if the precondition does not hold, or if the row changed while the
 * statement waited for its lock: the update would not see the change.
 * @param condition selects the resource `t`
 * @param returning columns over `t`
 */
export function lockAndUpdateStatement<E extends ObjectLiteral>(
  tx: Transaction,
  mapping: ResourceMapping,
  condition: Sql,
  entity: Type<E>,
  { values, variables, updatedAt, precondition, keepsVersion }: LockingUpdate<E>,
  returning: Sql,
): Sql {
  const set = columnAssignments(tx, entity, values, variables);
  const nextVersion = keepsVersion
    ? sql`version = t.version`
    : sql`version = t.version + 1, updated_at = COALESCE(${updatedAt ?? null}::timestamptz, before_read_at)`;
  const isExpected = Array.isArray(precondition)
    ? sql`'"' || before_version || '"' = ANY(${arrayParameter(precondition)}::text[])`
    : sql`true`;
  return sql`WITH locked (project_id, id, ${BEFORE}, is_current) AS (${lockStatement(mapping, condition, 'FOR NO KEY UPDATE')})
    UPDATE ${raw(mapping.table)} t SET ${join([...set, nextVersion])}
    FROM locked WHERE t.project_id = locked.project_id AND t.id = locked.id AND is_current AND ${isExpected}
    RETURNING ${returning}, ${BEFORE}`;
}

/** The columns of `lockStatement` between the id and `is_current`. */
const BEFORE = raw(
  'before_version, before_name, before_in_region, before_in_cell, before_variables, before_label_ids, before_read_at, before_members',
);

/** The statements that delete a resource and its assignments of labels, in order. */
export function deleteStatements({ mapping, projectId, id: ownId }: LockedResource): Sql[] {
  const id = mapping.idType === 'uuid' ? projectId : ownId;
  const row = sql`DELETE FROM ${raw(mapping.table)} t
    WHERE t.project_id = ${projectId} AND t.id = ${id}::${raw(mapping.idType)}`;
  if (!mapping.labels) return [row];
  const { table, owner } = mapping.labels;
  return [
    sql`DELETE FROM ${raw(table)} a WHERE a.project_id = ${projectId} AND a.${raw(owner)} = ${id}`,
    row,
  ];
}

function columnAssignments<E extends ObjectLiteral>(
  tx: Transaction,
  entity: Type<E>,
  values: ColumnValues<E>,
  variables: VariableEdit | undefined,
): Sql[] {
  const set = columnsOf(tx, entity, values).map(({ name, value }) => sql`${name} = ${value}`);
  return variables ? [...set, sql`variables = ${editOf(variables)}`] : set;
}

function editOf(edit: VariableEdit): Sql {
  return 'remove' in edit
    ? sql`t.variables - ${arrayParameter(edit.remove)}::text[]`
    : sql`t.variables || ${edit.merge.sql}`;
}
