import { queryOptions } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { api, unwrap } from '../api/client';
import { defaultKind, type DeviceCollection } from '../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { present } from '../app/search-params';
import { variableColumn } from './variable-column';
import { filtersOf, type ListSearch } from './list-search';
import {
  type CountedValues,
  exactConditionsFor,
  formatCondition,
  MAX_CONDITIONS,
  pathOf,
} from './where-condition';

/** Which devices are counted, and by which part of the value. */
export interface DistributionSearch extends ListSearch {
  readonly collection?: DeviceCollection | undefined;
  readonly path?: string | undefined;
}

/** The kind of the counted devices: a list of devices has one kind. */
const kindOf = ({ collection }: DistributionSearch) =>
  deviceKinds.find((kind) => kind.collection === collection) ?? defaultKind;

/**
 * How the resolved values of a variable are distributed.
 * @param groups counts the devices of each group, too
 */
export const valuesQuery = (
  project_id: string,
  key: string,
  search: DistributionSearch,
  limit: number,
  groups: { readonly group_by?: 'region' | 'cell' | 'label'; readonly group_limit?: number } = {},
) => {
  const query = {
    ...filtersOf(search),
    ...groups,
    ...present({ path: search.path }),
    project_id,
    kind: kindOf(search).kind,
    limit,
  };
  return queryOptions({
    queryKey: ['variable-keys', project_id, key, 'values', query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/variable-keys/{key}/values', { params: { path: { key }, query }, signal })),
    // What is wrong with a filter does not change.
    retry: false,
  });
};

/**
 * The list of exactly the devices with a value; undefined if no filter can express it.
 * @param all the values that were counted
 * @param group replaces a filter of the page, for the devices of a group
 */
export function devicesWith(
  key: string,
  value: unknown,
  all: CountedValues,
  search: DistributionSearch,
  group: DistributionSearch = {},
) {
  const conditions = exactConditionsFor(key, value, all, search.path);
  return conditions && devicesWhere(key, conditions, search, group);
}

/** The list of the devices in which no level sets the variable, or the part of its value. */
export const devicesWithout = (key: string, search: DistributionSearch, group: DistributionSearch = {}) =>
  devicesWhere(key, [formatCondition(pathOf(key, search.path ?? ''), 'missing', [])], search, group);

const devicesWhere = (
  key: string,
  conditions: readonly string[],
  search: DistributionSearch,
  group: DistributionSearch,
) => {
  // Not constants: the parameters of a link are mutable arrays.
  const where: string[] = [...(search.where ?? []), ...conditions];
  if (where.length > MAX_CONDITIONS) return undefined;
  const columns: string[] = ['name', 'region_id', 'cell_id', 'labels', variableColumn(key)];
  return linkOptions({
    to: '/devices',
    search: {
      ...filtersOf({ ...search, ...group }),
      collection: kindOf(search).collection,
      where,
      columns,
    },
  });
};
