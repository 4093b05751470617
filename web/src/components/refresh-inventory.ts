import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { LIST_POSITION, NEWEST_CHANGE, PREVIEW } from '../api/query-keys';
import { readAgain } from '../api/read-again';
import type { PlainRequest } from '../api/request';

interface Keyed {
  readonly queryKey: QueryKey;
}

/** Not the preview: the write cannot be previewed again once it is done. Nor what is no data. */
const isRead = ({ queryKey: [first] }: Keyed): boolean => first !== PREVIEW && first !== LIST_POSITION;

/** The first parts of the keys of what has no versions: numbers, records, and a folder that was chosen. */
const UNVERSIONED = new Set([
  'changes',
  'device-counts',
  'netbox-folder',
  NEWEST_CHANGE,
  'search',
  'variable-keys',
  'variable-values',
]);

/** The third parts of the keys of what is counted or found in the fleet: by audits, for a saved view, for one resource. */
const COUNTED = new Set([
  ...['run', 'first-run', 'past-runs', 'failures', 'own-values', 'overview'],
  ...['count', 'device-counts', 'variable-values'],
]);

/** Whether nothing that is edited comes from a query. Some of these take seconds in a large fleet. */
const isUnversioned = ({ queryKey: [first, , third] }: Keyed): boolean =>
  UNVERSIONED.has(String(first)) || COUNTED.has(String(third));

/** The path of the resource that a request deletes; undefined if it deletes none. */
export const deletedPath = ({ method, path }: PlainRequest): string | undefined =>
  method === 'DELETE' && RESOURCE.test(path) ? path : undefined;

const RESOURCE = /^\/v1\/([a-z-]+)\/(\d+)$/;

/**
 * After a change of the inventory: reads again what is shown, and forgets the rest. Waits for what can be edited: it has the new
 * versions then.
 * @param deleted the path of a resource that was deleted: its page is still shown until another one is loaded
 */
export async function refreshInventory(queryClient: QueryClient, deleted?: string): Promise<void> {
  const [, collection, id] = RESOURCE.exec(deleted ?? '') ?? [];
  const isDeleted = ({ queryKey }: Keyed): boolean =>
    collection !== undefined && queryKey[0] === collection && String(queryKey[1]) === id;
  // Before the lists, which then are newer than this change: it is not offered to be read.
  await queryClient.refetchQueries({ queryKey: [NEWEST_CHANGE], type: 'active' });
  // What is not shown now would show the state before the write first, with outdated versions.
  queryClient.removeQueries({ type: 'inactive', predicate: isRead });
  void readAgain(queryClient, {
    predicate: (query) => isRead(query) && isUnversioned(query) && !isDeleted(query),
  });
  await readAgain(queryClient, {
    predicate: (query) => isRead(query) && !isUnversioned(query) && !isDeleted(query),
  });
  queryClient.removeQueries({ type: 'inactive', predicate: isDeleted });
}
