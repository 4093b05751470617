import type { QueryClient } from '@tanstack/react-query';
import { NEWEST_CHANGE } from '../api/newest-change';
import { readAgain } from '../api/read-again';
import { LIST_POSITION } from './list-position';
import { PREVIEW } from './write-preview';

/** Not the preview: the write cannot be previewed again once it is done. Nor what is no data. */
const isRead = ({ queryKey: [first] }: { readonly queryKey: readonly unknown[] }): boolean =>
  first !== PREVIEW && first !== LIST_POSITION;

/**
 * After a change of the inventory: reads again what is shown, and forgets the rest.
 * @param deleted the path of a resource that was deleted: its page is still shown until another one is loaded
 */
export async function refreshInventory(queryClient: QueryClient, deleted?: string): Promise<void> {
  const [, collection, id] = /^\/v1\/([a-z-]+)\/(\d+)$/.exec(deleted ?? '') ?? [];
  const isDeleted = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    collection !== undefined && queryKey[0] === collection && String(queryKey[1]) === id;
  // Before the lists, which then are newer than this change: it is not offered to be read.
  await queryClient.refetchQueries({ queryKey: [NEWEST_CHANGE], type: 'active' });
  // What is not shown now would show the state before the write first, with outdated versions.
  queryClient.removeQueries({ type: 'inactive', predicate: isRead });
  await readAgain(queryClient, { predicate: (query) => isRead(query) && !isDeleted(query) });
  queryClient.removeQueries({ type: 'inactive', predicate: isDeleted });
}
