import { regionShape } from '../../regions/region';
import { cellShape } from '../../cells/cell';
import { deviceKinds } from '../../devices/device-kinds';
import { labelShape } from '../../labels/label';
import { userShape } from '../../accounts/user';
import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Queryable } from '../../database/database';
import { join, raw, sql, type Sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';

/** Where a variable is set, by what `places` are read in the order of. */
export interface Place {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

/** A variable where it is set: the owner's name, and the value as JSON text. */
export interface SetVariable extends Place {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly value: string;
}

const owners: readonly ResourceShape[] = [
  regionShape,
  cellShape,
  labelShape,
  ...deviceKinds.map(({ shape }) => shape),
  userShape,
];

/** A place as a marker; what it is made of is nobody's business. */
export const markerOf = ({ key, kind, id }: Place): string =>
  Buffer.from(JSON.stringify([key, kind, id])).toString('base64url');

/** @throws InventoryError 400 for what `markerOf` did not make */
export function placeOf(marker: string): Place {
  const [key, kind, id] = parsed(Buffer.from(marker, 'base64url').toString());
  if (typeof key !== 'string' || typeof kind !== 'string' || typeof id !== 'number' || !isStorable(key, kind))
    throw InventoryError.invalid('marker', 'must be one that a link of this list gave');
  return { key, kind, id };
}

const isStorable = (...texts: readonly string[]): boolean =>
  texts.every((text) => text.isWellFormed() && !text.includes('\u0000'));

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Reads where variables of a key, or of a prefix followed by `*`, are set, as far as the caller may see them, in the
 * order of keys, kinds and ids, from behind a place on.
 */
export async function placesOf(
  ctx: RequestContext,
  on: Queryable,
  projectId: string,
  pattern: string,
  behind: Place | undefined,
  limit: number,
): Promise<SetVariable[]> {
  const after = behind
    ? sql`(v.key, v.object_type, v.object_id) > (${behind.key}, ${behind.kind}, ${behind.id}::bigint)`
    : sql`true`;
  return on.rows<SetVariable>(sql`
    SELECT p.key, p.kind, p.id, o.name, o.value FROM (
      SELECT v.key, v.object_type AS kind, v.object_id AS id FROM variable_correlations v
      WHERE v.project_id = ${projectId} AND ${isOf(pattern)} AND ${isVisible(ctx.visibility, sql`v.key`)} AND ${after}
      ORDER BY v.key, v.object_type, v.object_id LIMIT ${limit}
    ) p CROSS JOIN LATERAL (${join(
      owners.map((shape) => ownerOf(shape, projectId)),
      ' UNION ALL ',
    )}) o
    ORDER BY p.key, p.kind, p.id`);
}

/** The last character that there is sorts behind all that a key can go on with. */
function isOf(pattern: string): Sql {
  if (!pattern.endsWith('*')) return sql`v.key = ${pattern}`;
  const prefix = pattern.slice(0, -1);
  return sql`v.key >= ${prefix} AND v.key < ${`${prefix}\u{10FFFF}`}`;
}

const ownerOf = (shape: ResourceShape, projectId: string): Sql => sql`
  SELECT ${raw(`t.${shape.nameField}`)} AS name, (t.variables -> p.key)::text AS value ${from(shape)}
  WHERE t.project_id = ${projectId} AND t.id = p.id AND p.kind = ${shape.kind} AND ${ofKind(shape)}
    AND t.variables ? p.key`;
