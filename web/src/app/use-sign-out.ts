import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { endSession } from '../api/session';

/**
 * Ends the session, also at the identity provider, and leads to the sign-in page. The page is loaded anew: nothing of the
 * session stays in memory, and no part of the page that is still shown reads what needs a session.
 */
export function useSignOut() {
  const router = useRouter();
  return useMutation({
    mutationFn: endSession,
    onSuccess: async (providerUrl) => {
      if (providerUrl !== undefined) location.assign(providerUrl);
      else await router.navigate({ to: '/sign-in', reloadDocument: true });
    },
  });
}
