import { InventoryError } from '../../core/errors/inventory-error';
import { textsOf, type QueryParameters } from '../../core/query-parameters';
import { booleanValue } from '../../list/list-filter';
import { limitOf, projectOf } from '../../list/list-query';

/** The bounds and the default of `limit`. */
export const FEED_LIMITS = { least: 1, most: 1_000, usual: 100 } as const;

/** The maximum of `wait`, in seconds. */
export const LONGEST_WAIT = 60;

const PARAMETERS = ['after', 'wait', 'limit', 'resolved', 'project_id'] as const;

/** The feed's query parameters, parsed and validated. */
interface FeedParameters {
  readonly after: string | undefined;
  readonly wait: number;
  readonly limit: number;
  readonly resolved: boolean;
  readonly projectId: string | undefined;
}

/** @throws InventoryError 400 for unknown, repeated or invalid parameters */
export function parseFeedQuery(query: QueryParameters): FeedParameters {
  const text = textsOf(query, PARAMETERS);
  return {
    after: text('after'),
    wait: parseWait(text('wait') ?? '0'),
    limit: limitOf(text('limit'), FEED_LIMITS),
    resolved: booleanValue('resolved', text('resolved') ?? 'false'),
    projectId: projectOf(text('project_id')),
  };
}

function parseWait(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LONGEST_WAIT) return seconds;
  throw InventoryError.invalid('wait', `must be an integer from 0 to ${String(LONGEST_WAIT)}`);
}
