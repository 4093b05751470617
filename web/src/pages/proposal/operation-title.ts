import type { ListedProposal, Operation } from '../../api/proposals';

/** `/v1/regions/3/variables/ntp_servers`, without a query. */
const OF_RESOURCE = /^\/v1\/([a-z-]+)s\/(\d+)(?:\/(variables|labels)(?:\/([^/?]+))?)?$/;
const OF_COLLECTION = /^\/v1\/([a-z-]+)s$/;

/**
 * What an operation does, in words.
 * @param resources those that the proposal writes, with their names
 * @returns undefined if only its method and path say it
 */
export function operationTitle(
  { method, path, body }: Operation,
  resources: ListedProposal['resources'],
): string | undefined {
  if (path === '/v1/import') return Array.isArray(body) ? `Import ${body.length} lines` : 'Import';
  const [, created] = OF_COLLECTION.exec(path ?? '') ?? [];
  if (created !== undefined)
    return method === 'POST' && !Array.isArray(body)
      ? `Create ${articleOf(created)} ${wordsOf(created)}`
      : undefined;
  const [, kind, id, part, key] = OF_RESOURCE.exec(path ?? '') ?? [];
  if (kind === undefined) return undefined;
  const name = resources.find((resource) => resource.kind === kind && resource.id === Number(id))?.name;
  const owner = `${wordsOf(kind)} ${name ?? `#${String(id)}`}`;
  const isRemoved = method === 'DELETE';
  switch (part) {
    case undefined:
      return `${isRemoved ? 'Delete' : 'Change'} the ${owner}`;
    case 'labels':
      return `${isRemoved ? 'Remove labels from' : 'Add labels to'} the ${owner}`;
    default:
      return `${isRemoved ? 'Unset' : 'Set'} ${key === undefined ? 'variables' : decodeURIComponent(key)} on the ${owner}`;
  }
}

const wordsOf = (kind: string): string => kind.replaceAll('-', ' ');
const articleOf = (kind: string): string => (/^[aeiou]/.test(kind) ? 'an' : 'a');
