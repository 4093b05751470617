import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

const MAX_COMPLETIONS = 20;

/** Whether a key can begin with a text; the API rejects others. */
export const isKeyPrefix = (text: string): boolean => /^([\p{ID_Start}_][\p{ID_Continue}-]*)?$/u.test(text);

/** The keys of variables that begin with a text. Empty while they are read, and if they cannot be. */
export function useKeyCompletions(prefix: string): string[] {
  const project_id = useProjectId();
  const { data } = useQuery({
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
  return data?.flatMap(({ key }) => key ?? []) ?? [];
}
