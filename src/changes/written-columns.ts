import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { byCodePoint } from '../core/characters';
import { JsonInput } from '../database/json-input';
import type { Transaction } from '../database/database';
import { raw, sql, type Sql } from '../database/sql';

/** Members to write; those that are undefined stay as they are. */
export type Values<E> = { readonly [M in keyof E]?: E[M] | JsonInput | undefined };

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
  values: Values<E>,
): WrittenColumn[] {
  const { dataSource } = entities;
  const metadata = dataSource.getMetadata(entity);
  // In one order, whatever that of the request: one statement for the same members.
  const given = Object.entries(values as Record<string, unknown>).sort(([a], [b]) => byCodePoint(a, b));
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
export function kindOf<E extends ObjectLiteral>({ entities }: Transaction, entity: Type<E>): WrittenColumn[] {
  const { discriminatorColumn: column, discriminatorValue: kind } = entities.dataSource.getMetadata(entity);
  return column ? [{ name: raw(`"${column.databaseName}"`), value: sql`${kind}` }] : [];
}
