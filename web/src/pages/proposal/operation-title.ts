import { kindOfCollection, kindWords } from '../../api/kinds';
import type { ListedProposal, Operation, Proposal } from '../../api/proposals';
import { operationMessages } from '../../components/item-faults';

/** `/v1/regions/3/variables/ntp_servers`, without a query. */
const OF_RESOURCE = /^\/v1\/([a-z-]+)\/(\d+)(?:\/(variables|labels)(?:\/([^/?]+))?)?$/;
const SETTINGS = /^\/v1\/projects\/[^/]+\/settings$/;
const OF_COLLECTION = /^\/v1\/([a-z-]+)$/;

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
  if (SETTINGS.test(path ?? '')) return 'Change the settings of the project';
  const [, createdIn = ''] = OF_COLLECTION.exec(path ?? '') ?? [];
  const created = kindOfCollection(createdIn);
  if (created !== undefined)
    return method === 'POST' && !Array.isArray(body)
      ? `Create ${articleOf(created)} ${kindWords(created)}`
      : undefined;
  const [, collection = '', id, part, key] = OF_RESOURCE.exec(path ?? '') ?? [];
  const kind = kindOfCollection(collection);
  if (kind === undefined) return undefined;
  const name = resources.find((resource) => resource.kind === kind && resource.id === Number(id))?.name;
  const owner = `${kindWords(kind)} ${name ?? `#${String(id)}`}`;
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

/** A problem of a proposal. The service names the operation by its position. */
export function problemText(
  { operation, message }: { readonly operation: number | null; readonly message: string },
  { operations, resources }: Pick<Proposal, 'operations' | 'resources'>,
): string {
  const found = operation === null ? undefined : operations[operation];
  const [named] = operationMessages(message);
  if (operation === null || !found || !named) return message;
  const title = operationTitle(found, resources) ?? `Operation ${operation + 1}`;
  return `${title}: ${named.message}`;
}

const articleOf = (kind: string): string => (/^[aeiou]/.test(kind) ? 'an' : 'a');
