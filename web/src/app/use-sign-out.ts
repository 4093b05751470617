import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { endSession } from '../api/session';

/** Ends the session, also at the identity provider, and leads to the sign-in page. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: endSession,
    onSuccess: async (providerUrl) => {
      queryClient.clear();
      if (providerUrl !== undefined) location.assign(providerUrl);
      else await router.navigate({ to: '/sign-in' });
    },
  });
}
