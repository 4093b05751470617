import { useMutation } from '@tanstack/react-query';
import { send } from '../api/request';
import { present } from '../app/search-params';
import type { ListSearch } from './list-search';

/** No resource has it, so that the service only says whether it accepts the other filters. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Asks the service whether it accepts filters, before they become part of the URL: what is wrong with them is shown where they
 * were typed.
 * @param collection the list that they filter
 * @param searchOf the search parameters of what was typed
 */
export const useFilterCheck = <Typed>(
  collection: string,
  searchOf: (typed: Typed) => ListSearch,
  onAccepted: (typed: Typed) => void,
) =>
  useMutation({
    mutationFn: (typed: Typed) =>
      send({
        method: 'GET',
        path: `/v1/${collection}`,
        query: { ...present(searchOf(typed)), uuid: NO_UUID, fields: 'id', limit: 1 },
      }),
    onSuccess: (_response, typed) => {
      onAccepted(typed);
    },
    gcTime: 0,
  });
