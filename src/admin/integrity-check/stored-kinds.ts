import { join, raw, sql, type Sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';
import { revertibleKinds } from '../../history/revert/revertible-kinds';

/** Every kind of resource that is stored. */
export const kinds: readonly ResourceShape[] = revertibleKinds.map(({ shape }) => shape);

/** The same query over the rows `t` of each kind, put together. */
export function ofEveryKind(shapes: readonly ResourceShape[], columns: (shape: ResourceShape) => Sql): Sql {
  const queries = shapes.map((shape) => sql`SELECT ${columns(shape)} ${from(shape)} WHERE ${ofKind(shape)}`);
  return union(queries);
}

export const union = (queries: readonly Sql[]): Sql => join([...queries], ' UNION ALL ');

/** The kind, as text of the project's own. */
export const storedKindOf = (shape: ResourceShape): Sql => raw(`'${shape.kind}'::text`);

/** The id as change records have it: null for a project, whose id is its project's. */
export const recordedId = (shape: ResourceShape): Sql =>
  raw(shape.idType === 'uuid' ? 'NULL::bigint' : 't.id');
