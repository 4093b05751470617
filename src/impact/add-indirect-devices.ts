import type { VariableChange } from '../changes/change-diff';
import type { Queryable } from '../database/database';
import { join, sql, type Sql } from '../database/sql';
import type { AffectedScope, AffectedScopes, LabelledDevices } from './affected-scopes';
import type { EffectGroups } from './effect-groups';
import type { CountedDevices } from './group-counts';
import {
  configurePlanner,
  isOverridable,
  labelledChanges,
  overridingDevices,
  valueNumbers,
} from './indirectly-affected-devices';

/** How many devices of a region a change of a value affects. */
export interface CountedChange {
  readonly change: VariableChange;
  readonly counted: CountedDevices;
}

/**
 * Adds the devices that a change affects without touching them.
 * @param affected with values: see `LevelUpdates`
 * @returns their numbers, for `GroupCounts`; undefined if the regions of some of them are not known
 */
export async function addIndirectDevices(
  groups: EffectGroups,
  on: Queryable,
  projectId: string,
  { scopes, labelled }: AffectedScopes,
): Promise<readonly CountedChange[] | undefined> {
  if (scopes.length > 0 || labelled) await configurePlanner(on);
  const counted: CountedChange[] = [];
  for (const scope of scopes) counted.push(...(await addScope(groups, on, projectId, scope)));
  if (labelled) await addLabelled(groups, on, projectId, labelled);
  return labelled || scopes.some(({ region }) => region === undefined) ? undefined : counted;
}

/** Ids as one text: the driver reads it faster than an array, or a `bytea`. */
const packed = (id: Sql): Sql => sql`encode(string_agg(float8send(${id}::float8), ''::bytea), 'base64')`;

/** @returns the ids in order */
function unpack(text: string | null): Float64Array {
  const { buffer, byteOffset, length } = Buffer.from(text ?? '', 'base64');
  const view = new DataView(buffer, byteOffset, length);
  const ids = new Float64Array(length / 8);
  for (let i = 0; i < ids.length; i++) ids[i] = view.getFloat64(i * 8);
  return ids.sort();
}

/** The ids that are in one array and not in the other. */
function difference(all: Float64Array, without: Float64Array): Float64Array {
  let next = 0;
  return all.filter((id) => {
    while (next < without.length && (without[next] ?? 0) < id) next++;
    return without[next] !== id;
  });
}

/** The devices of a scope, and for each key those that override it: usually few. */
async function addScope(
  groups: EffectGroups,
  on: Queryable,
  projectId: string,
  { devices, region, keys }: AffectedScope,
): Promise<CountedChange[]> {
  const overrides = keys
    .filter(isOverridable)
    .map((key) => sql`SELECT * FROM (${overridingDevices(projectId, devices, key)}) AS o`);
  const overriding =
    overrides.length === 0
      ? sql``
      : sql`UNION ALL SELECT o.key, ${packed(sql`o.id`)} FROM (${join(overrides, ' UNION ALL ')}) AS o GROUP BY o.key`;
  const rows = await on.rows<{ key: string | null; ids: string | null }>(
    sql`SELECT NULL::text AS key, ${packed(sql`d.id`)} AS ids FROM (${devices}) AS d ${overriding}`,
    'custom',
  );
  const all = unpack(rows.find(({ key }) => key === null)?.ids ?? null);
  return keys.map(({ key, before, after }) => {
    const without = unpack(rows.find((row) => row.key === key)?.ids ?? null);
    const change = { key: JSON.stringify(key), before, after };
    const changed = without.length === 0 ? all : difference(all, without);
    groups.addAll(change, changed);
    return { change, counted: { region, devices: changed.length, overriding: without.length } };
  });
}

/** Devices with several updated levels: the database resolves each. */
async function addLabelled(
  groups: EffectGroups,
  on: Queryable,
  projectId: string,
  labelled: LabelledDevices,
): Promise<void> {
  const rows = await on.rows<{
    key: string;
    before: number | null;
    after: number | null;
    ids: string | null;
  }>(
    sql`SELECT c.key, c.before, c.after, ${packed(sql`c.id`)} AS ids FROM (${labelledChanges(projectId, labelled)}) AS c
      GROUP BY c.key, c.before, c.after`,
    'custom',
  );
  const values = new Map(
    labelled.keys.map((changed) => [
      changed.key,
      new Map([...valueNumbers(changed)].map(([value, number]) => [number, value])),
    ]),
  );
  for (const { key, before, after, ids } of rows) {
    const valueOf = (number: number | null) => (number === null ? undefined : values.get(key)?.get(number));
    groups.addAll({ key: JSON.stringify(key), before: valueOf(before), after: valueOf(after) }, unpack(ids));
  }
}
