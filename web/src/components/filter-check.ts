import { useMutation } from '@tanstack/react-query';
import { send } from '../api/request';
import { present } from '../app/search-params';
import { searchOf, type VariableFilter } from './variable-filters';

/** No resource has it, so that the service only says whether it accepts the other filters. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Asks the service whether it accepts filters, before they become part of the URL: what is wrong with them is shown where they
 * were typed.
 * @param collection the list that they filter
 */
export const useFilterCheck = (
  collection: string,
  onAccepted: (filters: readonly VariableFilter[]) => void,
) =>
  useMutation({
    mutationFn: (filters: readonly VariableFilter[]) =>
      send({
        method: 'GET',
        path: `/v1/${collection}`,
        query: { ...present(searchOf(filters)), uuid: NO_UUID, fields: 'id', limit: 1 },
      }),
    onSuccess: (_response, filters) => {
      onAccepted(filters);
    },
    gcTime: 0,
  });
