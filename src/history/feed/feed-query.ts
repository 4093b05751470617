import { InventoryError } from '../../core/errors/inventory-error';
import { textsOf, type QueryParameters } from '../../core/query-parameters';
import { booleanValue } from '../../list/list-filter';
import { limitOf, projectOf } from '../../list/list-query';

/** How many changes at most an answer has. */
export const FEED_LIMITS = { least: 1, most: 1_000, usual: 100 } as const;

/** For how many seconds at most an answer is waited for. */
export const LONGEST_WAIT = 60;

const PARAMETERS = ['after', 'wait', 'limit', 'resolved', 'project_id'] as const;

/** The feed's query, read and checked. */
interface FeedParameters {
  readonly after: string | undefined;
  readonly wait: number;
  readonly limit: number;
  readonly resolved: boolean;
  readonly projectId: string | undefined;
}

/** @throws InventoryError 400 for unknown or repeated parameters and for values that are not of their form */
export function parseFeedQuery(query: QueryParameters): FeedParameters {
  const text = textsOf(query, PARAMETERS);
  return {
    after: text('after'),
    wait: waitOf(text('wait') ?? '0'),
    limit: limitOf(text('limit'), FEED_LIMITS),
    resolved: booleanValue('resolved', text('resolved') ?? 'false'),
    projectId: projectOf(text('project_id')),
  };
}

function waitOf(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LONGEST_WAIT) return seconds;
  throw InventoryError.invalid('wait', `must be an integer from 0 to ${String(LONGEST_WAIT)}`);
}
