import { Button } from '@mantine/core';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { NEWEST_CHANGE, readNewestChange } from '../api/newest-change';
import { readAgain } from '../api/read-again';
import { useProjectId } from './use-project';

/** How often (ms) a page looks for new changes. */
const POLL_INTERVAL = 5_000;
/** How long (ms) after the last key or movement it looks: a page that is only open must not keep the session alive. */
const ATTENTION = 600_000;

/** The first parts of the keys of queries that are not read again: they take seconds, are many, or are no reads of the inventory. */
const OTHERS = new Set(['audits', 'views', 'session', 'sign-in', 'preview', 'list-position', NEWEST_CHANGE]);

/** Reads again what the page shows of the inventory. */
const readPageAgain = (queryClient: QueryClient): Promise<void> =>
  readAgain(queryClient, {
    type: 'active',
    predicate: ({ queryKey: [first] }) => typeof first !== 'string' || !OTHERS.has(first),
  });

/** The `refetchInterval` of a query that looks for new changes, while the page is visible and in use. */
function usePolling(): () => number | false {
  const attention = useRef(0);
  useEffect(() => {
    const onAttention = () => {
      attention.current = Date.now();
    };
    const events = ['keydown', 'pointermove', 'focus'] as const;
    for (const name of events) addEventListener(name, onAttention, { passive: true });
    onAttention();
    return () => {
      for (const name of events) removeEventListener(name, onAttention);
    };
  }, []);
  return () => (Date.now() - attention.current < ATTENTION ? POLL_INTERVAL : false);
}

/** Reads the queries of the page again when there is a newer change, while the page is visible and in use. */
export function Live({ interval }: { readonly interval: number }) {
  const queryClient = useQueryClient();
  const project_id = useProjectId();
  const refreshed = useRef(0);
  const refetchInterval = usePolling();
  useEffect(() => {
    refreshed.current = Date.now();
  }, []);
  const queryKey = [NEWEST_CHANGE, project_id];
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await readNewestChange(project_id, signal);
      const known = queryClient.getQueryData<number>(queryKey);
      if (known === undefined || known === newest) return newest;
      // It is still newer the next time.
      if (Date.now() - refreshed.current < interval) return known;
      refreshed.current = Date.now();
      await readPageAgain(queryClient);
      return newest;
    },
    retry: false,
    refetchInterval,
  });
  return null;
}

/** The newest change that a list knows of. */
interface Seen {
  readonly id: number;
  /** When (ms) it was seen first; 0 for the one that was there when the list was opened. */
  readonly at: number;
}

interface NewerChangesProps {
  /** When (ms) the oldest of what is shown was read. */
  readonly readAt: number;
  /** Called when it is read again. */
  readonly onShow: () => void;
}

/**
 * Offers to read a list again that is older than the newest change of the project. It does not do so by itself: rows must not move
 * below a pointer, nor below cells that are being edited.
 */
export function NewerChanges({ readAt, onShow }: NewerChangesProps) {
  const queryClient = useQueryClient();
  const project_id = useProjectId();
  const queryKey = [NEWEST_CHANGE, project_id, 'seen'];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Seen> => {
      const id = await readNewestChange(project_id, signal);
      const known = queryClient.getQueryData<Seen>(queryKey);
      return known?.id === id ? known : { id, at: known ? Date.now() : 0 };
    },
    // Another list begins with the change that is the newest one then.
    gcTime: 0,
    retry: false,
    refetchInterval: usePolling(),
  });
  if (!data || data.at <= readAt) return null;
  return (
    <span role="status">
      <Button
        variant="default"
        size="compact-sm"
        title="Something was changed after this was read. What you have selected or entered stays."
        onClick={() => {
          onShow();
          void readPageAgain(queryClient);
        }}
      >
        Show newer changes
      </Button>
    </span>
  );
}
