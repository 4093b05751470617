import { InvalidArgumentError } from 'commander';
import { ApiError } from '../../api/errors';
import { describeKinds } from '../../lookup/resource-finder';
import { resultOrApiError, throwIfFailed, type FailedItem } from '../resources/failed-items';
import type { Session } from '../session';
import type { MissingResource, SourceResources } from './missing-resources';

/** Parses the kinds of `--prune`. */
export function parsePrunedKinds(text: string): readonly string[] {
  const allowed = ['device', ...describeKinds('device').map(({ kind }) => kind), 'cell', 'region'];
  const kinds = [...new Set(text.split(','))];
  const invalid = kinds.find((kind) => !allowed.includes(kind));
  if (invalid !== undefined) throw new InvalidArgumentError(`The kinds are ${allowed.join(', ')}.`);
  return kinds;
}

/** Finds what `--prune` deletes. If it names regions, the source describes all regions. @throws CliError, ApiError */
export const findPruned = (
  session: Session,
  source: SourceResources,
  names: readonly string[],
): Promise<MissingResource[]> =>
  source.findMissing(session, { kinds: source.selectKinds(names), isWhole: names.includes('region') });

/** The result of deletions. */
export interface Deletions {
  readonly deleted: MissingResource[];
  readonly failed: FailedItem[];
}

/**
 * Deletes resources one by one, unless they were changed since they were found. A rejected deletion does not stop the others.
 * @param result the deletions so far, also if an error is thrown
 * @throws ApiError, NetworkError
 */
export async function deleteResources(
  { muster }: Session,
  resources: readonly MissingResource[],
  { deleted, failed }: Deletions,
): Promise<void> {
  for (const item of resources) {
    const path = `/v1/${item.resource.collection}/{id}`;
    const options = { path: { id: item.id }, ifMatch: item.version };
    const result = await resultOrApiError(() => muster.request('delete', path, options));
    // Deleted by an earlier attempt whose response was lost, or by another user.
    if (result instanceof ApiError && result.status !== 404) failed.push({ item, error: result });
    else deleted.push(item);
  }
}

/** @throws CliError if deletions failed */
export function throwIfDeletionsFailed({ deleted, failed }: Deletions): void {
  throwIfFailed(failed, deleted.length + failed.length, 'deleted');
}
