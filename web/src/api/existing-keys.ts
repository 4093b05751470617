import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

/** Of more keys than this, it is not known whether the others exist. */
const MAX_KEYS = 10_000;

/** Whether any region, cell, label or device sets a variable. False also while that is read, or if it cannot be. */
export function useIsExistingKey(key: string): boolean {
  const project_id = useProjectId();
  const { data } = useQuery({
    queryKey: ['variable-keys', project_id, { limit: MAX_KEYS }],
    queryFn: async ({ signal }) => {
      const query = { project_id, fields: ['key' as const], limit: MAX_KEYS };
      const keys = await unwrap(api.GET('/v1/variable-keys', { params: { query }, signal }));
      return new Set(keys.map((one) => one.key));
    },
    staleTime: 60_000,
  });
  return data?.has(key) ?? false;
}
