import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isStatus } from '../api/errors';
import { queryString } from '../api/client';
import { send } from '../api/request';
import { present } from '../app/search-params';
import type { ListSearch } from './list-search';

/** No resource has it, so that the service only says whether it accepts the other filters. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';
/** How long (ms) nobody has typed before a hint is asked for. */
const TYPING_DELAY = 300;

/** @throws ApiError 400 if the service does not accept the filters */
const checkFilters = (collection: string, search: ListSearch, signal?: AbortSignal) =>
  send(
    {
      method: 'GET',
      path: `/v1/${collection}`,
      query: { ...present(search), uuid: NO_UUID, fields: 'id', limit: 1 },
    },
    signal,
  );

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
    mutationFn: (typed: Typed) => checkFilters(collection, searchOf(typed)),
    onSuccess: (_response, typed) => {
      onAccepted(typed);
    },
    gcTime: 0,
  });

/**
 * What the service says about filters while they are typed: what is missing or wrong, and often the right form. The grammar is
 * known by the service alone.
 * @param search undefined: nothing was typed
 * @returns undefined if the filters are right, or not known yet
 */
export function useFilterHint(collection: string, search: ListSearch | undefined): string | undefined {
  const typed = search && queryString(present(search));
  const [settled] = useDebouncedValue(typed, TYPING_DELAY);
  const isSettled = search !== undefined && typed === settled;
  const { error } = useQuery({
    queryKey: ['filter-check', collection, settled],
    queryFn: async ({ signal }) => {
      await checkFilters(collection, search ?? {}, signal);
      return true;
    },
    enabled: isSettled,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
  return isSettled && isStatus(error, 400) ? error.message.replace(/^(?:vars|where): /, '') : undefined;
}
