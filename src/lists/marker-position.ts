import { InventoryError } from '../core/errors';
import { deletionOf } from '../database/deleted-resources';
import type { Queryable } from '../database/database';
import { sql } from '../database/sql';
import { type KeyColumns, keyColumns, keysOfColumns, type KeyValues } from './keyset';
import { type List, listedProjects } from './list';
import { itemWithId } from './list-statements';
import { digestOf, type Marker } from './marker';

const invalidMarker = (): InventoryError =>
  InventoryError.invalid('marker', 'not_found', 'is not the id of an item in this list');

/**
 * The position of an item, after which a page begins.
 * @throws InventoryError 400 if it is not one that the caller can see
 */
export async function findMarkerPosition(
  list: List,
  { id, digest }: Extract<Marker, { kind: 'item' }>,
  on: Queryable,
): Promise<KeyValues> {
  const { order } = list;
  if (order.keys.length === 1) {
    await assertKnownItem(list, id, on);
    return [id];
  }
  const [row] = await on.rows<KeyColumns>(
    sql`SELECT ${keyColumns(order, 'text')} ${itemWithId(list, id, listedProjects(list))}`,
  );
  if (!row) throw digest === undefined ? invalidMarker() : movedItem();
  const keys = keysOfColumns(order, row);
  if (digest !== undefined && digest !== digestOf(keys)) throw movedItem();
  return keys;
}

/** For a marker without key values, whose position is unknown once they have changed. */
const movedItem = (): InventoryError =>
  InventoryError.invalid(
    'marker',
    'not_found',
    'is that of an item which was changed or deleted since; read the list again from its start, or in id order',
  );

/**
 * Checks a marker in id order, in which an item that was deleted since still has a position.
 * @throws InventoryError 400 if the caller can see no such item, and could not see one before its deletion
 */
export async function assertKnownItem(list: List, id: string, on: Queryable): Promise<void> {
  const { mapping, deleted } = list;
  const projects = listedProjects(list);
  if ((await on.rows(sql`SELECT ${itemWithId(list, id, projects)}`)).length > 0) return;
  // In a statement of its own: of several projects, a distributed database cannot read both tables with one.
  const deletion = deleted && deletionOf({ ...deleted, projects, id, idType: mapping.idType });
  if (!deletion || (await on.rows(deletion)).length === 0) throw invalidMarker();
}
