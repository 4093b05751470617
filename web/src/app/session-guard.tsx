import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isInaccessibleProject, isStatus } from '../api/errors';
import { isSameUser, readSession, sessionQuery } from '../api/session';
import { lazyDialog } from '../components/lazy-component';

/** Preloaded as all dialogs are: the session may end after a deployment that has removed the file. */
const SignInAgain = lazyDialog(() =>
  import('./sign-in-again').then(({ SignInAgain: component }) => component),
);

/**
 * Reads the session again if a response says that it is not as it was read. If it has ended, a dialog asks to sign in again: the
 * page stays, with all that was typed. If it cannot enter the project any more, the frame says so.
 */
export function SessionGuard() {
  const [isEnded, setEnded] = useState(false);
  const queryClient = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // The user whose data the page shows.
  const [former] = useState(session);
  useEffect(() => {
    if (isEnded) return undefined;
    const onError = (error: unknown) => {
      // A request that was sent with the cookie before an entered project fails, too, although the session goes on.
      if (!isStatus(error, 401) && !isInaccessibleProject(error)) return;
      void readSession().then(
        (current) => {
          // Another user has signed in in another tab: nothing of the former one may stay.
          if (!isSameUser(former, current)) location.reload();
          else queryClient.setQueryData(sessionQuery.queryKey, current);
        },
        (reason: unknown) => {
          if (isStatus(reason, 401)) setEnded(true);
        },
      );
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
  }, [queryClient, former, isEnded]);
  if (!isEnded) return null;
  return (
    <SignInAgain
      onClose={() => {
        setEnded(false);
      }}
    />
  );
}
