import * as v from 'valibot';
import { booleanParam, integerParam, listParam, textParam, wordParam } from '../../app/search-params';
import { deviceCollections } from '../../components/resource-link';

/** The URL of the list of devices: filters as the API names them, order and columns. */
export const deviceListSearch = v.object({
  collection: wordParam(deviceCollections),
  name_prefix: textParam,
  region_id: integerParam,
  cell_id: integerParam,
  label: listParam,
  active: booleanParam,
  device_type: textParam,
  ip: textParam,
  vars: textParam,
  sort: textParam,
  dir: wordParam(['asc', 'desc']),
  /** Ids of columns: names of members, and `var:<key>`. */
  columns: listParam,
});

export type DeviceListSearch = v.InferOutput<typeof deviceListSearch>;

/** The parameters that select devices, without those of the view. */
export function filtersOf({
  name_prefix,
  region_id,
  cell_id,
  label,
  active,
  device_type,
  ip,
  vars,
}: DeviceListSearch) {
  return {
    ...(name_prefix === undefined ? {} : { name_prefix }),
    ...(region_id === undefined ? {} : { region_id }),
    ...(cell_id === undefined ? {} : { cell_id }),
    ...(label === undefined ? {} : { label }),
    ...(active === undefined ? {} : { active }),
    ...(device_type === undefined ? {} : { device_type }),
    ...(ip === undefined ? {} : { ip }),
    ...(vars === undefined ? {} : { vars }),
  };
}

export type DeviceFilters = ReturnType<typeof filtersOf>;
