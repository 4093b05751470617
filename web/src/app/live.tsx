import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { newestChangeQuery, POLL_INTERVAL } from '../api/newest-change';
import { LIST_POSITION, NEWEST_CHANGE, PREVIEW, VIEWS } from '../api/query-keys';
import { readAgain, readBegan, recordReads } from '../api/read-again';
import { useProjectId } from './use-project';

/** How long (ms) after the last key or movement it looks: a page that is only open must not keep the session alive. */
const IDLE_TIMEOUT = 600_000;

/** The `refetchInterval` of a query that looks for new changes, while the page is visible and in use. */
export function usePolling(): () => number | false {
  const usedAt = useRef(0);
  useEffect(() => {
    const onUse = () => {
      usedAt.current = Date.now();
    };
    const events = ['keydown', 'pointermove', 'focus'] as const;
    for (const name of events) addEventListener(name, onUse, { passive: true });
    onUse();
    return () => {
      for (const name of events) removeEventListener(name, onUse);
    };
  }, []);
  return () => (Date.now() - usedAt.current < IDLE_TIMEOUT ? POLL_INTERVAL : false);
}

/** The newest change of the project, for which the page looks while it is visible and in use. */
export const useNewestChange = () => {
  const cache = useQueryClient().getQueryCache();
  useEffect(() => {
    recordReads(cache);
  }, [cache]);
  const refetchInterval = usePolling();
  return useQuery({ ...newestChangeQuery(useProjectId()), refetchInterval });
};

/** The first parts of the keys of queries that are not read again: they take seconds, are many, or do not depend on the inventory. */
const NOT_LIVE = new Set(['audits', VIEWS, 'session', 'sign-in', PREVIEW, LIST_POSITION, NEWEST_CHANGE]);

/** Reads again what the page shows of the inventory, as far as it may be older than a change. @param time (ms) of the change */
export const readPageAgain = (queryClient: QueryClient, time = Infinity): Promise<void> =>
  readAgain(queryClient, {
    type: 'active',
    predicate: (query) => {
      const [first] = query.queryKey;
      return (typeof first !== 'string' || !NOT_LIVE.has(first)) && readBegan(query) < time;
    },
  });

/** Reads the queries of the page again when there is a newer change, but not more often than the interval (ms). */
export function Live({ interval }: { readonly interval: number }) {
  const queryClient = useQueryClient();
  const nextAt = useRef(0);
  useEffect(() => {
    nextAt.current = Date.now() + interval;
  }, [interval]);
  const { data, dataUpdatedAt } = useNewestChange();
  useEffect(() => {
    if (!data || Date.now() < nextAt.current) return;
    // Not while it is being read. What was read after the change, such as after a write, is not read again.
    const next = Date.now() + interval;
    nextAt.current = Infinity;
    void readPageAgain(queryClient, data.seenAt).finally(() => {
      nextAt.current = next;
    });
  }, [queryClient, interval, data, dataUpdatedAt]);
  return null;
}
