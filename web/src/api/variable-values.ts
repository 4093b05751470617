import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';

/** How many values of a variable are read, the most frequent ones first. */
export const MAX_VALUES = 100;

/** The most frequent values that devices of a project resolve. A key that nobody sets has none. */
export const variableValuesQuery = (project_id: string, key: string) =>
  queryOptions({
    queryKey: ['variable-values', project_id, key, MAX_VALUES],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/variable-keys/{key}/values', {
          params: { path: { key }, query: { project_id, limit: MAX_VALUES } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
