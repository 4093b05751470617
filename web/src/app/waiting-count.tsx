import { VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MAX_WAITING, waitingQuery } from '../api/proposals';
import classes from './shell.module.css';
import { useProjectId } from './use-project';

interface Props {
  /** The path of the page that is shown. On the way to another one, the number is read again. */
  readonly page: string;
}

/** How many proposals wait for a review by the user. Nothing if there are none, or if they cannot be read. */
export function WaitingCount({ page }: Props) {
  const queryClient = useQueryClient();
  const project_id = useProjectId();
  const { data: waiting = 0 } = useQuery(waitingQuery(project_id));
  // Not at intervals: a page that is only open must not keep the session alive.
  useEffect(() => {
    const { queryKey } = waitingQuery(project_id);
    void queryClient.refetchQueries({ queryKey, stale: true }, { cancelRefetch: false });
  }, [page, project_id, queryClient]);
  if (waiting === 0) return null;
  return (
    <span className={classes.count}>
      {waiting > MAX_WAITING ? `${MAX_WAITING}+` : waiting}
      <VisuallyHidden> waiting for me</VisuallyHidden>
    </span>
  );
}
