import { cellShape } from '../../cells/cell';
import { anyDeviceShape } from '../../devices/device-kind';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import { inBatches } from '../../database/cursor';
import type { Queryable } from '../../database/database';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import { textOf } from '../../variables/filter/filter-parser';
import { matchByLevels } from '../../variables/filter/filter-plan';
import type { DefiningLevel } from '../../variables/filter/filter-levels';
import type { FilterCondition } from '../../variables/filter/variable-filters';
import { devicesOf, type Population } from './audit-target';
import type { Verdicts } from './validation-cache';

/** What is wrong with what a device resolves a key to, and with a schema at which place of it. */
export interface Reproach {
  readonly path: string | undefined;
  readonly message: string;
}

/** What must hold of every device: the database finds those of which it does, without showing anybody their values. */
export interface HeldCondition {
  readonly key: string;
  /** Of a row `t`; it may be NULL. */
  readonly holds: Sql;
  /** @param value as JSON text; undefined where the key is not set */
  readonly reproach: (value: string | undefined) => Promise<Reproach | undefined>;
}

/** The condition that a filter is. */
export function heldFilter({ filter, holds }: FilterCondition): HeldCondition {
  const reproach = (value: string | undefined): Promise<Reproach> =>
    Promise.resolve({
      path: undefined,
      message: value === undefined ? 'is not set' : `is not ${textOf(filter)}`,
    });
  return { key: filter.key, holds, reproach };
}

/** What sets the key, and the value as JSON text; NULL if it is long. */
interface SetValue {
  readonly [column: string]: unknown;
  readonly kind: 'region' | 'cell' | 'label' | 'device';
  readonly id: number;
  readonly value: string | null;
}

/** Values are read so many at a time, and those that are longer one by one: a batch takes a few megabytes at most. */
const BATCH = 1_000;
export const LONGEST_TOGETHER = 4_096;

const LEVELS = [regionShape, cellShape, labelShape];
const TABLES = {
  region: regionShape.table,
  cell: cellShape.table,
  label: labelShape.table,
  device: anyDeviceShape.table,
};

/**
 * The condition that a schema makes of a key. Only the process can hold a value against a schema, but it need not look
 * at every device: it looks at what sets the key, levels and devices, each once, and the database resolves the verdicts
 * as it resolves a filter's.
 * @param on one state of the database
 * @throws InventoryError 405 for a schema that takes too long
 */
export async function heldSchema(
  on: Queryable,
  population: Population,
  key: string,
  verdicts: Verdicts,
): Promise<HeldCondition> {
  const { projectId, inheritance } = population;
  const levels: Record<'region' | 'cell' | 'label', DefiningLevel[]> = { region: [], cell: [], label: [] };
  const own = { passing: [] as number[], failing: [] as number[] };
  for (const statement of [levelsThatSet(projectId, key), devicesThatSet(population, key)])
    for await (const batch of inBatches<SetValue>(on, statement, BATCH))
      for (const [i, passes] of (await passing(on, projectId, key, batch, verdicts)).entries()) {
        const set = batch[i];
        if (set?.kind === 'device') own[passes ? 'passing' : 'failing'].push(set.id);
        else if (set) levels[set.kind].push({ project_id: projectId, id: set.id, matches: passes });
      }
  const { region: regions, cell: cells, label: labels } = levels;
  const setByDevices = own.passing.length + own.failing.length > 0;
  return {
    key,
    holds: matchByLevels({ key, own: setByDevices, regions, cells, labels }, ownHolds(key, own), inheritance),
    reproach: async (value) => {
      if (value === undefined) return { path: undefined, message: 'is not set' };
      return (await verdicts.of([value]))[0];
    },
  };
}

/** Of those that pass and those that fail, the fewer are named. */
function ownHolds(key: string, { passing, failing }: Readonly<Record<'passing' | 'failing', number[]>>): Sql {
  const areSome = (ids: readonly number[]) => sql`t.id = ANY(${list(ids)}::bigint[])`;
  return passing.length <= failing.length
    ? areSome(passing)
    : sql`(t.variables ? ${key} AND NOT ${areSome(failing)})`;
}

/** Whether values pass, in their order. */
async function passing(
  on: Queryable,
  projectId: string,
  key: string,
  batch: readonly SetValue[],
  verdicts: Verdicts,
): Promise<boolean[]> {
  const short = batch.filter(({ value }) => value !== null);
  const faults = await verdicts.of(short.flatMap(({ value }) => value ?? []));
  const failing = new Set(short.filter((_, i) => faults[i]));
  const passes: boolean[] = [];
  for (const set of batch) {
    const long = set.value === null ? await valueAt(on, projectId, key, set) : undefined;
    passes.push(long === undefined ? !failing.has(set) : (await verdicts.of([long]))[0] === undefined);
  }
  return passes;
}

async function valueAt(
  on: Queryable,
  projectId: string,
  key: string,
  { kind, id }: SetValue,
): Promise<string> {
  const [row] = await on.rows<{ value: string }>(sql`
    SELECT (t.variables -> ${key}::text)::text AS value FROM ${raw(TABLES[kind])} t
    WHERE t.project_id = ${projectId} AND t.id = ${id}`);
  if (!row) throw new Error(`${kind} ${String(id)} is gone from a state that does not change`);
  return row.value;
}

/** What is read of a value `o.value` together with others. */
export const shortValue = sql`CASE WHEN octet_length(o.value) <= ${raw(String(LONGEST_TOGETHER))} THEN o.value END AS value`;

/** Labels in the order of their names: the last that a device carries decides. */
const levelsThatSet = (projectId: string, key: string): Sql => sql`
  SELECT o.kind, o.id, ${shortValue} FROM (${join(
    LEVELS.map(
      ({ kind, table, nameField }) => sql`
        SELECT ${kind}::text AS kind, t.id, ${raw(`t.${nameField}`)} AS name,
          (t.variables -> ${key}::text)::text AS value
        FROM variable_correlations v JOIN ${raw(table)} t ON t.project_id = v.project_id AND t.id = v.object_id
        WHERE v.project_id = ${projectId} AND v.key = ${key} AND v.object_type = ${kind}`,
    ),
    ' UNION ALL ',
  )}) o ORDER BY o.name, o.id`;

const devicesThatSet = (population: Population, key: string): Sql => sql`
  SELECT 'device' AS kind, t.id, ${shortValue} ${devicesOf(
    population,
    [sql`t.variables ? ${key}`],
    // OFFSET 0: taken out of the document once.
    sql`CROSS JOIN LATERAL (SELECT (t.variables -> ${key}::text)::text AS value OFFSET 0) o`,
  )}`;
