import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { useProject } from './use-project';

/** Whether the session works in another project than this tab shows: another tab has entered it, or the address names it. */
export function useIsElsewhere(): boolean {
  const { project } = useSuspenseQuery(sessionQuery).data;
  return project.id !== useProject().id;
}
