import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';

/** The id of the session's project. Lists name it: a root user's lists would contain all projects. */
export const useProjectId = (): string => useSuspenseQuery(sessionQuery).data.project.id;
