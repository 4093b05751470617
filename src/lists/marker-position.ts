import { InventoryError } from '../core/errors';
import { deletionOf, type ListedProjects } from '../database/deleted-resources';
import type { Queryable } from '../database/database';
import { from, inScope, ofKind } from '../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import type { KeyValues, ListRequest, Marker } from './list-request';
import { digestOf } from './marker';
import { type KeyColumns, keyColumns, keysOfColumns } from './page-statements';

const invalidMarker = (): InventoryError =>
  InventoryError.invalid('marker', 'is not the id of an item in this list');

/**
 * The position after which a page begins.
 * @throws InventoryError 400 if the marker's item is not one that the caller can see
 */
export async function findMarkerPosition(
  request: ListRequest,
  marker: Exclude<Marker, { kind: 'last' }>,
  on: Queryable,
  projects: ListedProjects = request.scope,
): Promise<KeyValues> {
  if (marker.kind === 'position') return marker.keys;
  const { id, digest } = marker;
  if (request.order.keys.length === 1) {
    await assertKnownItem(request, id, on, projects);
    return [id];
  }
  const [row] = await on.rows<KeyColumns>(
    sql`SELECT ${keyColumns(request.order, 'text')} ${itemWithId(request, id, projects)}`,
  );
  if (!row) throw digest === undefined ? invalidMarker() : movedItem();
  const keys = keysOfColumns(request.order, row);
  if (digest !== undefined && digest !== digestOf(keys)) throw movedItem();
  return keys;
}

/** For a marker without key values, whose position is unknown once they have changed. */
const movedItem = (): InventoryError =>
  InventoryError.invalid(
    'marker',
    'is that of an item which was changed or deleted since; read the list again from its start, or in id order',
  );

/**
 * Checks a marker in id order, in which an item that was deleted since still has a position.
 * @throws InventoryError 400 if the caller can see no such item, and could not see one before its deletion
 */
export async function assertKnownItem(
  request: ListRequest,
  id: string,
  on: Queryable,
  projects: ListedProjects = request.scope,
): Promise<void> {
  const { mapping, deleted } = request;
  if ((await on.rows(sql`SELECT ${itemWithId(request, id, projects)}`)).length > 0) return;
  // In a statement of its own: of several projects, a distributed database cannot read both tables with one.
  const deletion = deleted && deletionOf({ ...deleted, projects, id, idType: mapping.idType });
  if (!deletion || (await on.rows(deletion)).length === 0) throw invalidMarker();
}

const itemWithId = (
  { mapping, readable = sql`true` }: ListRequest,
  id: string,
  projects: ListedProjects,
): Sql => {
  const inProjects =
    projects === 'every project' || 'project' in projects
      ? inScope(mapping, projects)
      : sql`t.project_id = ANY(${arrayParameter(projects)}::uuid[]) AND ${ofKind(mapping)}`;
  return sql`${from(mapping)} WHERE ${inProjects} AND ${readable} AND t.id = ${id}::${raw(mapping.idType)}`;
};
