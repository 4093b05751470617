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

/** The position of a variable in the order of `readSetVariables`: its key, and the kind and id of its owner. */
export interface Place {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

/** A variable that a resource sets: the name of the resource, and the value as JSON text. */
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

/** Encodes a position as an opaque marker. */
export const markerOf = ({ key, kind, id }: Place): string =>
  Buffer.from(JSON.stringify([key, kind, id])).toString('base64url');

/** @throws InventoryError 400 if the marker is malformed */
export function placeOf(marker: string): Place {
  const [key, kind, id] = parseArray(Buffer.from(marker, 'base64url').toString());
  if (typeof key !== 'string' || typeof kind !== 'string' || typeof id !== 'number' || !isStorable(key, kind))
    throw InventoryError.invalid('marker', 'must come from a link of this list');
  return { key, kind, id };
}

const isStorable = (...texts: readonly string[]): boolean =>
  texts.every((text) => text.isWellFormed() && !text.includes('\u0000'));

function parseArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Reads the variables that resources set for a key, or for a prefix followed by `*`, ordered by key, kind and id.
 * Variables that are hidden from the caller are left out.
 */
export async function placesOf(
  ctx: RequestContext,
  on: Queryable,
  projectId: string,
  pattern: string,
  after: Place | undefined,
  limit: number,
): Promise<SetVariable[]> {
  const isAfter = after
    ? sql`(v.key, v.object_type, v.object_id) > (${after.key}, ${after.kind}, ${after.id}::bigint)`
    : sql`true`;
  return on.rows<SetVariable>(sql`
    SELECT p.key, p.kind, p.id, o.name, o.value FROM (
      SELECT v.key, v.object_type AS kind, v.object_id AS id FROM variable_correlations v
      WHERE v.project_id = ${projectId} AND ${matches(pattern)} AND ${isVisible(ctx.visibility, sql`v.key`)} AND ${isAfter}
      ORDER BY v.key, v.object_type, v.object_id LIMIT ${limit}
    ) p CROSS JOIN LATERAL (${join(
      owners.map((shape) => selectOwner(shape, projectId)),
      ' UNION ALL ',
    )}) o
    ORDER BY p.key, p.kind, p.id`);
}

/** A prefix matches a range of keys. Its upper bound appends the greatest code point to the prefix. */
function matches(pattern: string): Sql {
  if (!pattern.endsWith('*')) return sql`v.key = ${pattern}`;
  const prefix = pattern.slice(0, -1);
  return sql`v.key >= ${prefix} AND v.key < ${`${prefix}\u{10FFFF}`}`;
}

const selectOwner = (shape: ResourceShape, projectId: string): Sql => sql`
  SELECT ${raw(`t.${shape.nameField}`)} AS name, (t.variables -> p.key)::text AS value ${from(shape)}
  WHERE t.project_id = ${projectId} AND t.id = p.id AND p.kind = ${shape.kind} AND ${ofKind(shape)}
    AND t.variables ? p.key`;
