import type * as v from 'valibot';
import {
  booleanParam,
  integerParam,
  joinedParam,
  listParam,
  textParam,
  wordParam,
} from '../app/search-params';

/** The search parameters of every list: filters as the API names them, order and columns. */
export const listSearchEntries = {
  name_prefix: textParam,
  cloud_id: integerParam,
  region_id: integerParam,
  cell_id: integerParam,
  label: listParam,
  active: booleanParam,
  device_type: textParam,
  ip: textParam,
  vars: joinedParam,
  /** Each value is one condition. */
  where: listParam,
  sort: textParam,
  dir: wordParam(['asc', 'desc']),
  /** Ids of columns: names of members, and `var:<key>`. */
  columns: listParam,
};

export type ListSearch = v.InferOutput<v.ObjectSchema<typeof listSearchEntries, undefined>>;

/** The parameters that select resources, without those of the view. */
export function filtersOf({
  name_prefix,
  cloud_id,
  region_id,
  cell_id,
  label,
  active,
  device_type,
  ip,
  vars,
  where,
}: ListSearch) {
  return {
    ...(name_prefix === undefined ? {} : { name_prefix }),
    ...(cloud_id === undefined ? {} : { cloud_id }),
    ...(region_id === undefined ? {} : { region_id }),
    ...(cell_id === undefined ? {} : { cell_id }),
    ...(label === undefined ? {} : { label }),
    ...(active === undefined ? {} : { active }),
    ...(device_type === undefined ? {} : { device_type }),
    ...(ip === undefined ? {} : { ip }),
    ...(vars === undefined ? {} : { vars }),
    ...(where === undefined ? {} : { where }),
  };
}

export type ListFilters = ReturnType<typeof filtersOf>;
