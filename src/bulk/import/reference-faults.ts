import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/queryable';
import { combineFaults } from './import-report';
import type { ImportStaging } from './import-staging';
import { lineGroups } from './line-kinds';
import { lookUpExisting, resolveReferences } from './resolve-references';

/**
 * Finds what else is wrong with invalid lines: what they name can be missing. Other lines may create it, so they must have been
 * written.
 */
export async function addReferenceFaults(
  on: Queryable,
  ctx: RequestContext,
  staging: ImportStaging,
): Promise<void> {
  for (const group of Object.values(lineGroups)) {
    const invalid = staging.linesToLookUp.filter(({ line }) => line.kind.group === group);
    if (invalid.length === 0) continue;
    const lines = invalid.map(({ line }) => line);
    const found = await lookUpExisting(on, ctx.projectId, group, lines);
    // Nothing is written, so new resources need no ids.
    const { failed } = await resolveReferences({ ctx, staging, newId: () => 0 }, lines, found);
    const others = new Map(failed.map(({ line, error }) => [line, error]));
    for (const { line, error } of invalid) {
      const other = others.get(line.line);
      // Also without another fault: an attempt before this one may have found one.
      staging.report.replaceInvalid(line.line, (other && combineFaults([error, other])) ?? error);
    }
  }
}
