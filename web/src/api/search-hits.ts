import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

/**
 * What the search of the API finds, best first. An empty text finds nothing. `isOutdated`: the text is not searched yet, and the
 * hits are those of the former one.
 */
export function useSearchHits(q: string, limit: number) {
  const project_id = useProjectId();
  const { data, error, isFetching, isPending, isPlaceholderData } = useQuery({
    queryKey: ['search', project_id, q, limit],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/search', { params: { query: { project_id, q, limit } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  return {
    hits: q === '' ? [] : (data?.hits ?? []),
    error,
    isFetching,
    isOutdated: q !== '' && (isPending || isPlaceholderData),
  };
}
