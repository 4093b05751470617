import * as v from 'valibot';
import {
  booleanParam,
  idsOrNoneParam,
  idsParam,
  integerParam,
  joinedParam,
  listParam,
  textParam,
  viewParam,
  type Present,
} from '../app/search-params';

/** The search parameters that select resources, as the API names them. */
const filterEntries = {
  name_prefix: textParam,
  name_contains: textParam,
  cloud_id: integerParam,
  region_id: idsParam(),
  cell_id: idsOrNoneParam,
  parent_id: idsOrNoneParam,
  access_secret_id: idsOrNoneParam,
  label: listParam,
  without_label: listParam,
  has_labels: booleanParam,
  active: booleanParam,
  device_type: listParam,
  ip: textParam,
  vars: joinedParam,
  /** Each value is one condition. */
  where: listParam,
};

/** The search parameters of every list: filters, order and columns. */
export const listSearchEntries = {
  ...filterEntries,
  sort: v.fallback(textParam, undefined),
  dir: viewParam(['asc', 'desc']),
  /** Ids of columns: names of members, and `var:<key>`. */
  columns: listParam,
};

export type ListSearch = v.InferOutput<v.ObjectSchema<typeof listSearchEntries, undefined>>;

type FilterName = keyof typeof filterEntries;

const FILTER_NAMES = Object.keys(filterEntries) as readonly FilterName[];

export type ListFilters = Present<Pick<ListSearch, FilterName>>;

/** The parameters that select resources, without those of the view. */
export const filtersOf = (search: ListSearch): ListFilters =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );

/** The filters of lists of devices, of all kinds. Those of other collections are in the API description. */
export const DEVICE_FILTERS: readonly string[] = FILTER_NAMES;

/** The members of a new resource that make it a row of the filtered list. */
export function membersOfFilters({
  region_id = [],
  cell_id = [],
  label = [],
  device_type = [],
  cloud_id,
}: ListFilters) {
  const [region, ...otherRegions] = region_id;
  const [cell, ...otherCells] = cell_id;
  const [type, ...otherTypes] = device_type;
  return {
    ...(region !== undefined && otherRegions.length === 0 && { region_id: region }),
    ...(typeof cell === 'number' && otherCells.length === 0 && { cell_id: cell }),
    ...(type !== undefined && otherTypes.length === 0 && { device_type: type }),
    ...(label.length > 0 && { labels: label.join(',') }),
    ...(cloud_id !== undefined && { cloud_id }),
  };
}
