import { join, raw, sql, type Sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';
import { revertibleKinds } from '../../history/revert/revertible-kinds';

/** All kinds of stored resources. */
export const kinds: readonly ResourceShape[] = revertibleKinds.map(({ shape }) => shape);

/** The union of a query over the rows `t` of each kind. */
export function ofEveryKind(shapes: readonly ResourceShape[], columns: (shape: ResourceShape) => Sql): Sql {
  const queries = shapes.map((shape) => sql`SELECT ${columns(shape)} ${from(shape)} WHERE ${ofKind(shape)}`);
  return union(queries);
}

export const union = (queries: readonly Sql[]): Sql => join([...queries], ' UNION ALL ');

/** The kind, as a constant of the program. */
export const storedKindOf = (shape: ResourceShape): Sql => raw(`'${shape.kind}'::text`);

/** The id in change records: null for projects and their settings, whose id is the project id. */
export const recordedId = (shape: ResourceShape): Sql =>
  raw(shape.idType === 'uuid' ? 'NULL::bigint' : 't.id');
