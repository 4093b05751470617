import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

const MAX_COMPLETIONS = 20;

/** Whether a key can begin with a text; the API rejects others. */
export const isKeyPrefix = (text: string): boolean => /^([\p{ID_Start}_][\p{ID_Continue}-]*)?$/u.test(text);

/** The keys of variables that begin with a text. */
interface KeyCompletions {
  /** Those of the text before while they are read; empty if they cannot be read. */
  readonly keys: string[];
  /** Whether they are being read. */
  readonly isLoading: boolean;
}

/** The keys of variables that begin with a text, and whether they are still being read. */
export function useLoadedKeyCompletions(prefix: string): KeyCompletions {
  const project_id = useProjectId();
  const { data, isLoading, isPlaceholderData } = useQuery({
    queryKey: ['variable-keys', project_id, prefix],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/variable-keys', {
          params: { query: { project_id, key: `${prefix}*`, fields: ['key'], limit: MAX_COMPLETIONS } },
          signal,
        }),
      ),
    enabled: isKeyPrefix(prefix),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return { keys: data?.flatMap(({ key }) => key ?? []) ?? [], isLoading: isLoading || isPlaceholderData };
}

/** The keys of variables that begin with a text. Those of the text before while they are read. */
export const useKeyCompletions = (prefix: string): string[] => useLoadedKeyCompletions(prefix).keys;
