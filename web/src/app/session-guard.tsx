import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isStatus } from '../api/errors';
import { readSession } from '../api/session';
import { lazyDialog } from '../components/lazy-component';

const SignInAgain = lazyDialog(() =>
  import('./sign-in-again').then(({ SignInAgain: component }) => component),
);

/** Asks to sign in again once a response says that the session has ended. The page stays, with all that was typed. */
export function SessionGuard() {
  const [isEnded, setEnded] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isEnded) return undefined;
    const onError = (error: unknown) => {
      // A request that was sent with the cookie before an entered project fails, too.
      if (isStatus(error, 401))
        void readSession().catch((reason: unknown) => {
          if (isStatus(reason, 401)) setEnded(true);
        });
    };
    const unsubscribe = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
      }),
    ];
    return () => {
      for (const stop of unsubscribe) stop();
    };
  }, [queryClient, isEnded]);
  if (!isEnded) return null;
  return (
    <SignInAgain
      onClose={() => {
        setEnded(false);
      }}
    />
  );
}
