import type { Moment } from '../changes/point-in-time';
import { pastLabelNames } from '../changes/past-state';
import type { RequestContext } from '../core/context/request-context';
import { join, raw, sql, type Sql } from '../database/sql';
import type { Listing } from './resource-definition';

/**
 * SQL that builds the named members of the resource `t` of a moment as one JSON text, like `jsonOf` for what is there
 * by now. Members come out of the record as they went in; one that a record does not have, because it came later, is
 * null.
 */
export function pastJsonOf(
  ctx: RequestContext,
  { shape, past }: Listing,
  members: readonly string[],
  at: Moment,
): Sql {
  const columns = members.map((member) => {
    const value = past?.members?.[member]?.(at) ?? recorded(member, at, shape.labels !== undefined);
    const { seenBy } = shape.fields[member] ?? {};
    return sql`${seenBy ? seenBy(ctx, value) : value} AS ${raw(`"${member}"`)}`;
  });
  return sql`(SELECT row_to_json(members)::text FROM (SELECT ${join(columns)}) members)`;
}

const recorded = (member: string, at: Moment, carriesLabels: boolean): Sql =>
  // A record tells labels by the names that they had when it was written; by the moment, they may be called otherwise.
  member === 'labels' && carriesLabels ? pastLabelNames(at) : raw(`t.after -> '${member}'`);
