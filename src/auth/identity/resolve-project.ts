import { parseUuid } from '../../core/parse-id';
import type { ProjectPolicies } from '../project-policies';

/** Who wants to enter a project. */
interface Entrant {
  readonly homeProjectId: string;
  readonly isRoot: boolean;
}

/**
 * The project that a caller names, as a UUID in any of its forms: the own one, and for root any that there is.
 * @returns undefined if the caller has no place there
 */
export async function enteredProject(
  named: string,
  { homeProjectId, isRoot }: Entrant,
  policies: ProjectPolicies,
): Promise<string | undefined> {
  const projectId = parseUuid(named);
  if (projectId === undefined || projectId === homeProjectId) return projectId;
  return isRoot && (await policies.of(projectId)) ? projectId : undefined;
}
