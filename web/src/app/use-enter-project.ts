import { useMutation, useQueryClient } from '@tanstack/react-query';
import { projectPath, serviceUrl } from '../api/page-project';
import { enterProject } from '../api/session';

/** What `useEnterProject` enters. */
interface Entered {
  readonly id: string;
  /** A path in the project. */
  readonly path?: string;
}

/** Enters a project, and leads to a page of it. Other tabs stay in theirs; addresses without a project lead to this one. */
export function useEnterProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Entered) => {
      // Requests in progress would be sent with the former cookie.
      await queryClient.cancelQueries();
      return enterProject(id);
    },
    onSuccess: (_, { id, path = '' }) => {
      location.assign(`${serviceUrl}${projectPath(id)}${path}`);
    },
  });
}
