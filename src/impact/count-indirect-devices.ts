import type { Queryable } from '../database/database';
import { join, sql, type Sql } from '../database/sql';
import type { AffectedScope, AffectedScopes, LabelledDevices } from './affected-scopes';
import type { GroupCounts } from './group-counts';
import {
  configurePlanner,
  isOverridable,
  labelledChanges,
  overridingDevices,
  valueNumbers,
} from './indirectly-affected-devices';

/** Counts the devices that a change affects without touching them. @param affected with values: see `LevelUpdates` */
export async function countIndirectDevices(
  groups: GroupCounts,
  on: Queryable,
  projectId: string,
  { scopes, labelled }: AffectedScopes,
): Promise<void> {
  if (scopes.length > 0 || labelled) await configurePlanner(on);
  for (const scope of scopes) await countScope(groups, on, projectId, scope);
  if (labelled) await countLabelled(groups, on, projectId, labelled);
}

/** All devices of a scope, and for each key those that override it, by region. */
async function countScope(
  groups: GroupCounts,
  on: Queryable,
  projectId: string,
  { devices, region: common, keys }: AffectedScope,
): Promise<void> {
  const overrides = keys
    .filter(isOverridable)
    .map((key) => sql`SELECT * FROM (${overridingDevices(projectId, devices, key)}) AS o`);
  const counted = join(
    [sql`SELECT s.id, NULL::text AS key FROM (${devices}) AS s`, ...overrides],
    ' UNION ALL ',
  );
  const [region, joined] = common === undefined ? ofDevices(projectId) : [sql`${common}::bigint`, sql``];
  const rows = await on.rows<{ key: string | null; region: number | null; devices: number }>(
    sql`SELECT c.key, ${region} AS region, count(*) AS devices FROM (${counted}) AS c (id, key) ${joined} GROUP BY 1, 2`,
    'custom',
  );
  const all = rows.filter(({ key }) => key === null);
  for (const { key, before, after } of keys) {
    const overriding = new Map(rows.filter((row) => row.key === key).map((row) => [row.region, row.devices]));
    for (const { region: of, devices: size } of all) {
      const without = overriding.get(of) ?? 0;
      groups.add(
        { key: JSON.stringify(key), before, after },
        { region: of, devices: size - without, overriding: without },
      );
    }
  }
}

/** The region of the device of a row `c`, and what has to be joined for it. */
const ofDevices = (projectId: string): readonly [Sql, Sql] => [
  sql`d.region_id`,
  sql`JOIN devices d ON d.project_id = ${projectId} AND d.id = c.id`,
];

/** Devices with several updated levels: the database resolves each. It is not known which of them keep a value. */
async function countLabelled(
  groups: GroupCounts,
  on: Queryable,
  projectId: string,
  labelled: LabelledDevices,
): Promise<void> {
  const [region, joined] = ofDevices(projectId);
  const rows = await on.rows<{
    key: string;
    before: number | null;
    after: number | null;
    region: number | null;
    devices: number;
  }>(
    sql`SELECT c.key, c.before, c.after, ${region} AS region, count(*) AS devices
      FROM (${labelledChanges(projectId, labelled)}) AS c ${joined} GROUP BY 1, 2, 3, 4`,
    'custom',
  );
  const values = new Map(
    labelled.keys.map((changed) => [
      changed.key,
      new Map([...valueNumbers(changed)].map(([value, number]) => [number, value])),
    ]),
  );
  for (const { key, before, after, region: of, devices } of rows) {
    const valueOf = (number: number | null) => (number === null ? undefined : values.get(key)?.get(number));
    groups.add(
      { key: JSON.stringify(key), before: valueOf(before), after: valueOf(after) },
      { region: of, devices },
    );
  }
}
