import type { Network } from '../core/ip-address';
import type { ResourceMapping } from '../database/resource-mapping';
import { raw, sql, type Sql } from '../database/sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { canSeeRecord } from '../history/visible-change';
import { changeMatchesOf, matchesOf, type Search } from './match-statement';
import { identifiedKinds } from './searched-kinds';

/** Resources with the text as their id or UUID. */
export function identifierMatches(search: Search): Sql[] {
  const { id, uuid } = search.query;
  const kinds = identifiedKinds(search.ctx);
  const equals = (mappings: readonly ResourceMapping[], member: 'id' | 'uuid', value: Sql) =>
    mappings.map((mapping) =>
      matchesOf(search, mapping, {
        match: sql`'exact'`,
        member: sql`${member}`,
        condition: sql`${raw(`t.${member}`)} = ${value}`,
      }),
    );
  // The id of a project is its UUID.
  const withIntegerIds = kinds.filter(({ idType }) => idType === 'bigint');
  return [
    ...(id === undefined ? [] : equals(withIntegerIds, 'id', sql`${id}::bigint`)),
    ...(uuid === undefined ? [] : equals(kinds, 'uuid', sql`${uuid}::uuid`)),
  ];
}

/** Devices with an address in the network. */
export const networkMatches = (search: Search, { text, length }: Network): Sql => {
  const network = sql`${text}::inet`;
  return matchesOf(search, anyDeviceMapping, {
    match: sql`CASE WHEN t.ip_address = ${network} THEN 'exact' ELSE 'network' END`,
    member: sql`'ip_address'`,
    matched: sql`host(t.ip_address)`,
    // A range, which an index can serve in a generic plan; `<<=` would need a custom plan.
    condition: sql`t.ip_address >= network(${network})::inet
      AND t.ip_address <= set_masklen(broadcast(${network}), ${raw(String(length))})`,
    order: sql`ORDER BY t.ip_address, t.id`,
  });
};

/** The change with the number. */
export const numberedChanges = (search: Search): Sql[] => {
  const { ctx, projectId, query } = search;
  return query.changeId === undefined || ctx.isRestricted === true
    ? []
    : [
        changeMatchesOf(
          search,
          sql`'exact'`,
          sql`'id'`,
          sql`FROM changes t WHERE t.project_id = ${projectId} AND t.id = ${query.changeId} AND ${canSeeRecord(ctx)}`,
        ),
      ];
};
