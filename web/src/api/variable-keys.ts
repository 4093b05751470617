import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

const MAX_COMPLETIONS = 20;
/** Of more keys than this, it is not known whether the others exist. */
const MAX_KEYS = 10_000;
/** How many values of a variable are read to find their types, the most frequent ones first. */
const MAX_VALUES = 100;

/** Whether a key can begin with a text; the API rejects others. */
export const isKeyPrefix = (text: string): boolean => /^([\p{ID_Start}_][\p{ID_Continue}-]*)?$/u.test(text);

/** The keys of variables that begin with a text. */
interface KeyCompletions {
  /** Those of the text before while they are read; empty if they cannot be read. */
  readonly keys: string[];
  /** Whether they are being read, and not only again after a failure. */
  readonly isLoading: boolean;
}

/** The keys of variables that begin with a text, and whether they are still being read. */
export function useLoadedKeyCompletions(prefix: string): KeyCompletions {
  const project_id = useProjectId();
  const { data, isLoading, isPlaceholderData, isFetchedAfterMount } = useQuery({
    queryKey: ['variable-keys', project_id, { prefix }],
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
  return {
    keys: data?.flatMap(({ key }) => key ?? []) ?? [],
    isLoading: (isLoading || isPlaceholderData) && !isFetchedAfterMount,
  };
}

/** The keys of variables that begin with a text. Those of the text before while they are read. */
export const useKeyCompletions = (prefix: string): string[] => useLoadedKeyCompletions(prefix).keys;

/** The keys of variables that any region, cell, label or device sets, in their order: the first 10,000. */
export const variableKeysQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['variable-keys', project_id, { limit: MAX_KEYS }],
    queryFn: async ({ signal }) => {
      const query = { project_id, fields: ['key' as const], limit: MAX_KEYS };
      const keys = await unwrap(api.GET('/v1/variable-keys', { params: { query }, signal }));
      return new Set(keys.flatMap(({ key }) => key ?? []));
    },
    staleTime: 60_000,
  });

/** Whether any region, cell, label or device sets a variable. False also while that is read, or if it cannot be. */
export const useIsExistingKey = (key: string): boolean =>
  useQuery(variableKeysQuery(useProjectId())).data?.has(key) ?? false;

/**
 * Whether one of the 100 most frequent values of a variable, or of a part of it, that devices of the project resolve is a text.
 * `text` is the key, followed by the path if a part is meant.
 * @throws ApiError, NetworkError
 */
export async function resolvesToText(
  project_id: string,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<boolean> {
  const path = text.slice(key.length).replace(/^\./, '');
  const query = { project_id, limit: MAX_VALUES, ...(path === '' ? {} : { path }) };
  const { values } = await unwrap(
    api.GET('/v1/variable-keys/{key}/values', { params: { path: { key }, query } }),
  );
  return values.some(({ value }) => typeof value === 'string');
}
