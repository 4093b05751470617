import type { FetchPage, KeysetList } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import type { ListFilters } from '../../components/list-search';
import { readRows } from '../../components/list-rows';
import type { ListRow } from '../../components/member-columns';
import type { Sort } from '../../components/resource-table';

/** The list of the devices of one kind. */
export interface DeviceList {
  readonly collection: string;
  readonly project_id: string;
  readonly filters: ListFilters;
  readonly sort: Sort;
  readonly fields: readonly string[];
  /** The variables that are read, with where they come from. */
  readonly keys: readonly string[];
}

/** The parameters of a page. @param isBackward whether it is read against the order of the list */
const queryOf = ({ project_id, filters, sort, fields, keys }: DeviceList, isBackward = false) => ({
  ...filters,
  project_id,
  fields,
  sort_keys: sort.key,
  sort_dir: isBackward === (sort.direction === 'asc') ? 'desc' : 'asc',
  ...(keys.length === 0 ? {} : { explain: keys }),
});

export const fetchPageOf =
  (list: DeviceList): FetchPage<ListRow> =>
  (marker, signal) =>
    readRows(list.collection, { ...queryOf(list), limit: PAGE_SIZE, marker }, signal);

export const fetchIdsOf =
  (list: DeviceList): KeysetList<ListRow>['fetchIds'] =>
  async ({ marker, isBackward, limit }, signal) => {
    const query = { ...queryOf({ ...list, fields: ['id'], keys: [] }, isBackward), limit, marker };
    const { body } = await readRows(list.collection, query, signal);
    return body.map(({ id }) => id);
  };

/**
 * The devices after another one, or before it, nearest first.
 * @param marker its id; undefined: from the first one on
 * @throws ApiError, NetworkError
 */
export async function readAfter(
  list: DeviceList,
  marker: number | undefined,
  count: number,
  isBackward = false,
  signal?: AbortSignal,
): Promise<readonly ListRow[]> {
  if (count < 1) return [];
  return (await readRows(list.collection, { ...queryOf(list, isBackward), limit: count, marker }, signal))
    .body;
}
