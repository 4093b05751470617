import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { useProject } from './use-project';

/** Whether the session cannot enter the project that this tab shows: it was deleted, or the user has no access to it. */
export function useIsProjectInaccessible(): boolean {
  const { project } = useSuspenseQuery(sessionQuery).data;
  return project.id !== useProject().id;
}
