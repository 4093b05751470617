import { useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { pageProject } from '../api/page-project';
import { sessionQuery } from '../api/session';

/** A project of the inventory. */
export interface Project {
  readonly id: string;
  readonly name: string;
}

/** A project by its id. Its name is the id if the session does not list it: a root user sees the first 1,000. */
export function useNamedProject(id: string): Project {
  const { project, projects } = useSuspenseQuery(sessionQuery).data;
  return [project, ...projects].find((one) => one.id === id) ?? { id, name: id };
}

/** The project of the page, which is the session's, unless the session cannot enter it. */
export function useProject(): Project {
  const { project } = useSuspenseQuery(sessionQuery).data;
  return useNamedProject(pageProject ?? project.id);
}

/** The name of the project that the page shows, for its title. Undefined outside of the frame: before a sign-in. */
export const PageProjectName = createContext<string | undefined>(undefined);

/** The id of the project of the resource that is shown, if it is not that of the page. */
export const ResourceProjectId = createContext<string | undefined>(undefined);

/**
 * The id of the project of the page, or of the shown resource: a root user can open resources of all projects. Lists name it,
 * because a root user's lists would contain all projects.
 */
export function useProjectId(): string {
  const { id } = useProject();
  return useContext(ResourceProjectId) ?? id;
}
