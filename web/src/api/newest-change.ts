import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { NEWEST_CHANGE } from './query-keys';

/** How often (ms) a page looks for new changes. */
export const POLL_INTERVAL = 5_000;

/** The newest change that is known. */
interface NewestChange {
  /** 0 if there is none. */
  readonly id: number;
  /** What was read before this time (ms) may lack it; 0 for the one that was there at the first look. */
  readonly seenAt: number;
}

/** The newest change of a project, which all parts of a page look for together. */
export const newestChangeQuery = (project_id: string) => {
  const queryKey = [NEWEST_CHANGE, project_id] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<NewestChange> => {
      const query = { project_id, fields: ['id' as const], sort_dir: 'desc' as const, limit: 1 };
      const [change] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
      const id = change?.id ?? 0;
      const { data: known, dataUpdatedAt: lookedAt = 0 } = client.getQueryState<NewestChange>(queryKey) ?? {};
      if (known?.id === id) return known;
      if (!known) return { id, seenAt: 0 };
      // On a page that is opened after another one that does not look: most of it was read after the change.
      const isFirstLook = Date.now() - lookedAt > 2 * POLL_INTERVAL;
      return { id, seenAt: isFirstLook ? lookedAt : Date.now() };
    },
    // Results of audits are kept for long, too.
    gcTime: Infinity,
    staleTime: 0,
    retry: false,
  });
};
