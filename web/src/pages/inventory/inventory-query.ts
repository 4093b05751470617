import { queryOptions } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import type { InventoryCollection } from '../../api/kinds';

type Views = components['schemas'];

/** A region, cell, label or cloud. */
export type InventoryItem = Views['Region'] | Views['Cell'] | Views['Label'] | Views['Cloud'];

/** A region, cell, label or cloud with its own variables, now or at a point in time. */
export const inventoryQuery = (collection: InventoryCollection, id: number, at: string | undefined) =>
  queryOptions({
    queryKey: [collection, id, 'item', at ?? null],
    queryFn: ({ signal }): Promise<InventoryItem> => {
      const past = at === undefined ? {} : { at };
      const path = { id };
      // Clouds have no variables.
      if (collection === 'clouds')
        return unwrap(api.GET('/v1/clouds/{id}', { params: { path, query: past }, signal }));
      return unwrap(
        api.GET(`/v1/${collection}/{id}`, {
          params: { path, query: { 'resolved-values': false, ...past } },
          signal,
        }),
      );
    },
  });

export const nameOf = (item: InventoryItem): string => ('label' in item ? item.label : item.name);

/** The filter of the list of devices that selects those to which a region, cell or label applies. */
export function deviceFilterOf(kind: string, item: InventoryItem) {
  switch (kind) {
    case 'region':
      return { region_id: [item.id] };
    case 'cell':
      return { cell_id: [item.id] };
    case 'label':
      return { label: [nameOf(item)] };
    default:
      return { cloud_id: item.id };
  }
}
