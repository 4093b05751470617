import type { PointInTime } from '../changes/point-in-time';
import { parameterReader, type QueryParameters, singleValue, timeValue } from '../core/parameters';
import { parseBooleanValue } from '../lists/list-filter';
import { parseFields } from '../lists/list-query';

/** The query parameters of a read of one resource. */
export interface SingleQuery {
  /** Whether its variables are resolved. */
  readonly resolved: boolean;
  /** The point in time; undefined: now. */
  readonly at: PointInTime | undefined;
  /** The members to show; empty if the read has no parameter `fields`. */
  readonly members: readonly string[];
}

/** The query parameters that a read of one resource accepts. */
interface SingleParameters {
  readonly 'resolved-values': boolean;
  readonly at: boolean;
  /** The members from which `fields` selects; absent: `fields` is not accepted. */
  readonly members?: readonly string[];
  /** Whether variables are resolved without the parameter `resolved-values`. */
  readonly resolvedByDefault?: boolean;
}

/** Parses the query of a read of one resource. @throws InventoryError 400 */
export function parseSingleQuery(query: QueryParameters, accepted: SingleParameters): SingleQuery {
  const { members = [] } = accepted;
  const names = (['resolved-values', 'at'] as const).filter((name) => accepted[name]);
  const { fields, ...others } = query;
  const resolved = parameterReader(members.length > 0 ? others : query, names)('resolved-values');
  return {
    resolved:
      resolved === undefined
        ? (accepted.resolvedByDefault ?? true)
        : parseBooleanValue('resolved-values', resolved),
    at: parsePointInTime(query),
    members: parseFields(fieldsText(fields), members),
  };
}

/** The values of `fields`, which may also be repeated, as one text. */
const fieldsText = (fields: unknown): string | undefined =>
  Array.isArray(fields) ? fields.join(',') : typeof fields === 'string' ? fields : undefined;

/** Parses the parameter `at`. @returns undefined without it. @throws InventoryError 400 */
export function parsePointInTime(query: QueryParameters): PointInTime | undefined {
  const at = singleValue(query, 'at');
  return at === undefined ? undefined : { time: timeValue('at', at) };
}
