import { skipToken, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PlainRequest } from '../api/request';
import type { WriteRequest, WriteDialogProps } from './planned-write';

interface WriteRequestState {
  readonly request: WriteRequest['request'] | undefined;
  readonly conflict: WriteRequest['conflict'];
  /** Why it could not be prepared. */
  readonly error: Error | null;
  /** Sends another request instead. */
  readonly replace: (request: PlainRequest) => void;
}

/** The request of a write; undefined until it is prepared. */
export function useWriteRequest(write: WriteDialogProps['write']): WriteRequestState {
  const id = useId();
  const [replaced, replace] = useState('request' in write ? write.request : undefined);
  const { data, error } = useQuery({
    queryKey: ['write-request', id],
    queryFn: 'prepare' in write ? ({ signal }) => write.prepare(signal) : skipToken,
    // Prepared once: what is applied is what was previewed.
    staleTime: 'static',
    gcTime: 0,
  });
  const { request, conflict } = 'request' in write ? write : { ...data };
  return { request: replaced ?? request, conflict, error, replace };
}
