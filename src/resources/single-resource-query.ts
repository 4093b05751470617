import type { Moment } from '../changes/point-in-time';
import { onlyText, textsOf, type QueryParameters } from '../core/query-parameters';
import { timeValue } from '../http/parse-time';
import { booleanValue } from '../list/list-filter';

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
  const names = (['resolved-values', 'at'] as const).filter((name) => takes[name]);
  const resolved = textsOf(query, names)('resolved-values');
  return {
    resolved: resolved === undefined ? (takes.usual ?? true) : booleanValue('resolved-values', resolved),
    at: momentOf(query),
  };
}

/** The moment that a question is about; undefined: by now. @throws InventoryError 400 */
export function momentOf(query: QueryParameters): Moment | undefined {
  const at = onlyText(query, 'at');
  return at === undefined ? undefined : { time: timeValue('at', at) };
}
