import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { JsonInput } from '../database/json-input';
import type { Transaction } from '../database/database';
import { ids as anyOf, join, list, raw, sql, type Sql } from '../database/sql';
import { from } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { type LockedResource, snapshotColumns } from './snapshot';
import { compareCodePoints } from '../core/characters';

/** Members to write; those that are undefined stay as they are. */
export type ColumnValues<E> = { readonly [M in keyof E]?: E[M] | JsonInput | undefined };

/** A column of a table, and what it is to hold. */
export interface WrittenColumn {
  readonly name: Sql;
  readonly value: Sql;
}

/**
 * Members as the columns of their entity. Statements are made of them by hand, and not by the query builder: these are
 * prepared once per connection, the builder's are parsed and planned each time, which takes longer than to run them.
 */
export function columnsOf<E extends ObjectLiteral>(
  { entities }: Transaction,
  entity: Type<E>,
  values: ColumnValues<E>,
): WrittenColumn[] {
  const { dataSource } = entities;
  const metadata = dataSource.getMetadata(entity);
  // In one order, whatever that of the request: one statement for the same members.
  const given = Object.entries(values as Record<string, unknown>).sort(([a], [b]) => compareCodePoints(a, b));
  return given.flatMap(([member, of]) => {
    if (of === undefined) return [];
    const column = metadata.findColumnWithPropertyName(member);
    if (!column) throw new Error(`${metadata.name} has no column for ${member}`);
    // As TypeORM stores it. JSON from a client is an expression over the request's own text.
    const stored = (): unknown => dataSource.driver.preparePersistentValue(of, column);
    const written = of instanceof JsonInput ? of.sql : sql`${stored()}`;
    return [{ name: raw(`"${column.databaseName}"`), value: written }];
  });
}

/** What tells an entity from the others of its table: the column of its kind; nothing where the table has one. */
export function columnKind<E extends ObjectLiteral>(
  { entities }: Transaction,
  entity: Type<E>,
): WrittenColumn[] {
  const { discriminatorColumn: column, discriminatorValue: kind } = entities.dataSource.getMetadata(entity);
  return column ? [{ name: raw(`"${column.databaseName}"`), value: sql`${kind}` }] : [];
}

/** What happens to a resource's variables in an update: laid over what is there, or taken away. */
export type VariableEdit = { readonly merge: JsonInput } | { readonly remove: readonly string[] };

/** The columns of a snapshot of `t`, and others. */
export const withSnapshot = (shape: ResourceShape, columns: Sql | undefined): Sql =>
  columns ? sql`${snapshotColumns(shape)}, ${columns}` : snapshotColumns(shape);

/**
 * Locks resources `t` and reads them as they are then. `is_settled` tells whether everything beside a row is as it was
 * when the row was as it is: whatever is written of a resource raises its version, the row that is locked is the newest,
 * and the one that is looked up again is that of the statement's beginning.
 */
export function lockStatement(shape: ResourceShape, condition: Sql, strength: string): Sql {
  const beginning = sql`SELECT o.version FROM ${raw(shape.table)} o WHERE o.project_id = t.project_id AND o.id = t.id`;
  return sql`SELECT ${snapshotColumns(shape)}, t.version = (${beginning}) AS is_settled ${from(shape)}
    WHERE ${condition} ORDER BY t.id ${raw(strength)} OF t`;
}

/** @param columns further columns over `t` */
export function snapshotStatement(
  shape: ResourceShape,
  projectId: string,
  ids: readonly number[],
  columns?: Sql,
): Sql {
  const which = shape.idType === 'uuid' ? sql`t.id = ${projectId}` : sql`t.id = ANY(${anyOf(ids)})`;
  return sql`SELECT ${withSnapshot(shape, columns)} ${from(shape)} WHERE t.project_id = ${projectId} AND ${which}`;
}

/** @param returning columns over `t` */
export function insertStatement<E extends ObjectLiteral>(
  tx: Transaction,
  shape: ResourceShape,
  entity: Type<E>,
  values: ColumnValues<E>,
  returning: Sql,
): Sql {
  const columns = [...columnsOf(tx, entity, values), ...columnKind(tx, entity)];
  return sql`INSERT INTO ${raw(shape.table)} AS t (${join(columns.map(({ name }) => name))})
    VALUES (${join(columns.map(({ value }) => value))}) RETURNING ${returning}`;
}

/** What is written to a locked resource. */
export interface RowUpdate<E> {
  readonly values: ColumnValues<E>;
  readonly variables: VariableEdit | undefined;
  /** The `SET` of its next version. */
  readonly nextVersion: Sql;
}

/** @param returning columns over `t` */
export function updateStatement<E extends ObjectLiteral>(
  tx: Transaction,
  { shape, projectId, id, version }: LockedResource,
  entity: Type<E>,
  { values, variables, nextVersion }: RowUpdate<E>,
  returning: Sql,
): Sql {
  const set = columnsOf(tx, entity, values).map(({ name, value }) => sql`${name} = ${value}`);
  if (variables) set.push(sql`variables = ${editOf(variables)}`);
  return sql`UPDATE ${raw(shape.table)} t SET ${join([...set, nextVersion], ', ')}
    WHERE t.project_id = ${projectId} AND t.id = ${shape.idType === 'uuid' ? projectId : id} AND t.version = ${version}
    RETURNING ${returning}`;
}

function editOf(edit: VariableEdit): Sql {
  return 'remove' in edit
    ? sql`t.variables - ${list(edit.remove)}::text[]`
    : sql`t.variables || ${edit.merge.sql}`;
}
