import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, unwrap } from '../api/client';
import { readAgain } from '../api/read-again';
import { useProjectId } from './use-project';

/** How often (ms) a page looks for new changes. */
const POLL_INTERVAL = 5_000;
/** How long (ms) after the last key or movement it looks: a page that is only open must not keep the session alive. */
const ATTENTION = 600_000;

/** The first parts of the keys of queries that are not read again: they take seconds, are many, or are no reads of the inventory. */
const OTHERS = new Set([
  'audits',
  'views',
  'session',
  'sign-in',
  'preview',
  'list-position',
  'newest-change',
]);

/** Reads the queries of the page again when there is a newer change, while the page is visible and in use. */
export function Live({ interval }: { readonly interval: number }) {
  const queryClient = useQueryClient();
  const project_id = useProjectId();
  const attention = useRef(0);
  const refreshed = useRef(0);
  useEffect(() => {
    const onAttention = () => {
      attention.current = Date.now();
    };
    const events = ['keydown', 'pointermove', 'focus'] as const;
    for (const name of events) addEventListener(name, onAttention, { passive: true });
    onAttention();
    refreshed.current = Date.now();
    return () => {
      for (const name of events) removeEventListener(name, onAttention);
    };
  }, []);
  const queryKey = ['newest-change', project_id];
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { project_id, fields: ['id' as const], sort_dir: 'desc' as const, limit: 1 };
      const [change] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
      const newest = change?.id ?? 0;
      const known = queryClient.getQueryData<number>(queryKey);
      if (known === undefined || known === newest) return newest;
      // It is still newer the next time.
      if (Date.now() - refreshed.current < interval) return known;
      refreshed.current = Date.now();
      await readAgain(queryClient, {
        type: 'active',
        predicate: ({ queryKey: [first] }) => typeof first !== 'string' || !OTHERS.has(first),
      });
      return newest;
    },
    retry: false,
    refetchInterval: () => (Date.now() - attention.current < ATTENTION ? POLL_INTERVAL : false),
  });
  return null;
}
