import { InventoryError } from '../../shared/errors/inventory-error';
import { parseUuid } from '../../shared/http/resource-id';
import { booleanValue } from '../../shared/list/list-filter';
import { limitOf, type QueryParameters } from '../../shared/list/list-query';

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
  const unknown = Object.keys(query).find((name) => !(PARAMETERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw InventoryError.invalid(unknown, 'is not a parameter here');
  const text = (name: (typeof PARAMETERS)[number]): string | undefined => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value;
    throw InventoryError.invalid(name, 'can be given only once');
  };
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

function projectOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = parseUuid(text);
  if (id === undefined) throw InventoryError.invalid('project_id', 'must be a UUID');
  return id;
}
