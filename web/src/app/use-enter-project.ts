import { useMutation, useQueryClient } from '@tanstack/react-query';
import { pageProject, projectPath, serviceUrl } from '../api/page-project';
import { enterProject, sessionQuery } from '../api/session';

/** What `useEnterProject` enters. */
interface Entered {
  readonly id: string;
  /** A path in the project. */
  readonly path?: string;
}

/** Enters a project, and leads to a page of it. The project of the page is entered again without leaving the page. */
export function useEnterProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Entered) => {
      // Requests in progress would be sent with the former cookie.
      await queryClient.cancelQueries();
      return enterProject(id);
    },
    onSuccess: async (session, { id, path = '' }) => {
      if (id !== pageProject) {
        location.assign(`${serviceUrl}${projectPath(id)}${path}`);
        return;
      }
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
      });
    },
  });
}
