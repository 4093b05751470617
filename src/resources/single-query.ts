import type { Moment } from '../changes/moment';
import { InventoryError } from '../shared/errors/inventory-error';
import { timeValue } from '../shared/http/time-value';
import { booleanValue } from '../shared/list/list-filter';
import type { QueryParameters } from '../shared/list/list-query';

/** What a question for one resource says beside which one. */
export interface SingleQuery {
  /** Whether its variables are resolved. */
  readonly resolved: boolean;
  /** As of which moment; undefined: by now. */
  readonly at: Moment | undefined;
}

/** What a question for one resource may say. */
interface SingleParameters {
  readonly 'resolved-values': boolean;
  readonly at: boolean;
  /** Whether variables are resolved where the question does not say it. */
  readonly usual?: boolean;
}

/** Reads the query of a question for one resource. @throws InventoryError 400 */
export function parseSingleQuery(query: QueryParameters, takes: SingleParameters): SingleQuery {
  for (const name of Object.keys(query))
    if (!((name === 'resolved-values' || name === 'at') && takes[name]))
      throw InventoryError.invalid(name, 'is not a parameter here');
  const resolved = query['resolved-values'];
  return {
    resolved:
      resolved === undefined
        ? (takes.usual ?? true)
        : booleanValue('resolved-values', once('resolved-values', resolved)),
    at: momentOf(query),
  };
}

/** The moment that a question is about; undefined: by now. @throws InventoryError 400 */
export function momentOf({ at }: QueryParameters): Moment | undefined {
  return at === undefined ? undefined : { time: timeValue('at', once('at', at)) };
}

function once(name: string, value: unknown): string {
  if (typeof value !== 'string') throw InventoryError.invalid(name, 'can be given only once');
  return value;
}
