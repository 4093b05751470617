import { MAX_IDS, NO_ID } from '../app/search-params';
import type { ListSearch } from './list-search';

/** The filters that find devices without something by the value `null`. */
const NULLABLE = { cell: 'cell_id', parent: 'parent_id', 'access secret': 'access_secret_id' } as const;

/** A filter by ids that also has the value `null`. */
export type IdParameter = (typeof NULLABLE)[keyof typeof NULLABLE];

const LABELS = 'labels';

/** What a device can lack. */
export const ABSENCES: readonly string[] = [...Object.keys(NULLABLE), LABELS];

/** What the devices of a list lack, by its filters. */
export const absencesIn = (search: ListSearch): readonly string[] => [
  ...Object.entries(NULLABLE).flatMap(([name, parameter]) =>
    search[parameter]?.includes(NO_ID) ? [name] : [],
  ),
  ...(search.has_labels === false ? [LABELS] : []),
];

/** The search parameters of devices that lack these, and no others. Filters by ids stay. */
export function withAbsences(search: ListSearch, names: readonly string[]): ListSearch {
  const changed = Object.entries(NULLABLE).map(([name, parameter]) => [
    parameter,
    valuesOf(idsIn(search, parameter), names.includes(name)),
  ]);
  const has_labels = names.includes(LABELS) ? false : search.has_labels || undefined;
  return { ...(Object.fromEntries(changed) as ListSearch), has_labels };
}

/** The ids of a filter that also has the value `null`. */
export const idsIn = (search: ListSearch, parameter: IdParameter): readonly number[] =>
  (search[parameter] ?? []).filter((id) => id !== NO_ID);

/** A filter's search parameter with other ids. Devices that have none stay in the list. */
export function withIds(search: ListSearch, parameter: IdParameter, ids: readonly number[]): ListSearch {
  return { [parameter]: valuesOf(ids, search[parameter]?.includes(NO_ID) ?? false) };
}

/** The values of a filter. Of more than the API accepts, the first ids are dropped. */
function valuesOf(ids: readonly number[], hasNone: boolean) {
  const values = [...ids, ...(hasNone ? [NO_ID] : [])].slice(-MAX_IDS);
  return values.length === 0 ? undefined : values;
}

/**
 * A filter's search parameter with an id in the place of another one.
 * @param former undefined: the id is one more
 * @param id undefined: none
 */
export function withIdReplaced(
  search: ListSearch,
  parameter: IdParameter,
  former: number | undefined,
  id: number | undefined,
): ListSearch {
  const ids = idsIn(search, parameter);
  const replaced = former === undefined ? [...ids, id] : ids.map((one) => (one === former ? id : one));
  return withIds(
    search,
    parameter,
    [...new Set(replaced)].filter((one) => one !== undefined),
  );
}

/** Search parameters with other regions. Drops selected cells that are outside the selected regions. @param cells the known ones */
export function withRegions(
  search: ListSearch,
  regions: readonly number[],
  cells: readonly { readonly id: number; readonly region_id: number }[],
): ListSearch {
  const excluded = new Set(
    cells.flatMap(({ id, region_id }) => (regions.length === 0 || regions.includes(region_id) ? [] : [id])),
  );
  return {
    region_id: regions.length === 0 ? undefined : [...regions],
    ...withIds(
      search,
      'cell_id',
      idsIn(search, 'cell_id').filter((id) => !excluded.has(id)),
    ),
  };
}
