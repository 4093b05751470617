import { parseUuid } from '../../core/parse-id';
import type { ProjectPolicies } from '../project-policies';

/** The caller who accesses a project. */
interface ProjectCaller {
  readonly homeProjectId: string;
  readonly isRoot: boolean;
}

/**
 * Resolves the project that a caller names by its UUID. Users have access to their own project, root to all projects.
 * @returns undefined if the caller has no access
 */
export async function enteredProject(
  named: string,
  { homeProjectId, isRoot }: ProjectCaller,
  policies: ProjectPolicies,
): Promise<string | undefined> {
  const projectId = parseUuid(named);
  if (projectId === undefined || projectId === homeProjectId) return projectId;
  return isRoot && (await policies.of(projectId)) ? projectId : undefined;
}
