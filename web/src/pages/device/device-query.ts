import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { DeviceCollection } from '../../api/kinds';

/** A device with its own variables, now or at a point in time. */
export const deviceQuery = (collection: DeviceCollection, id: number, at: string | undefined) =>
  queryOptions({
    queryKey: [collection, id, 'item', at ?? null],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET(`/v1/${collection}/{id}`, {
          params: { path: { id }, query: { 'resolved-values': false, ...(at === undefined ? {} : { at }) } },
          signal,
        }),
      ),
  });
