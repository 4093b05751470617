import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { variableValuesQuery } from '../api/variable-values';
import { useProjectId } from '../app/use-project';
import type { ListSearch } from './list-search';
import { variableFiltersOf } from './variable-filters';

/** How long (ms) nobody has typed before a hint is shown. */
const TYPING_DELAY = 300;

/** The grammar of filters: loaded once somebody types one. */
const loadGrammar = () => import('./filter-problem');

/**
 * Checks filters before they become part of the URL: what is wrong with them is shown where they were typed. The browser has the
 * grammar of the service, so no query is sent that cannot be right.
 * @param searchOf the search parameters of what was typed
 */
export const useFilterCheck = <Typed>(
  searchOf: (typed: Typed) => ListSearch,
  onAccepted: (typed: Typed) => void,
) =>
  useMutation({
    mutationFn: async (typed: Typed) => {
      const { problemOf } = await loadGrammar();
      const problem = problemOf(searchOf(typed));
      if (problem !== undefined) throw new Error(problem);
    },
    onSuccess: (_nothing, typed) => {
      onAccepted(typed);
    },
    networkMode: 'always',
    gcTime: 0,
  });

/**
 * What is missing in filters, or wrong with them, while they are typed; of a right condition by a variable, that no device has a
 * value of this type.
 * @param search undefined: nothing was typed
 * @returns undefined if there is nothing to say, or it is not known yet
 */
export function useFilterHint(search: ListSearch | undefined): string | undefined {
  const projectId = useProjectId();
  const typed = JSON.stringify(search ?? {});
  const [settled] = useDebouncedValue(typed, TYPING_DELAY);
  const isSettled = search !== undefined && typed === settled;
  const { data } = useQuery({ ...hintQuery(projectId, settled), enabled: isSettled });
  return isSettled ? (data ?? undefined) : undefined;
}

/** @param typed search parameters, as JSON */
const hintQuery = (projectId: string, typed: string) =>
  queryOptions({
    queryKey: ['filter-hint', projectId, typed],
    queryFn: async ({ client }) => {
      const { comparedKey, problemOf, typeHint } = await loadGrammar();
      const search = JSON.parse(typed) as ListSearch;
      const problem = problemOf(search);
      if (problem !== undefined) return problem.replace(/^(?:vars|where): /, '');
      for (const filter of variableFiltersOf(search)) {
        const key = comparedKey(filter);
        const values = key && (await client.query(variableValuesQuery(projectId, key)));
        const hint = values && typeHint(filter, values);
        if (hint) return hint;
      }
      return null;
    },
    staleTime: 60_000,
    gcTime: 60_000,
    networkMode: 'always',
    // There is no hint.
    retry: false,
  });
