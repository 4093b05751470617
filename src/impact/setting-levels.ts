import { deviceKindNames } from '../devices/device-kinds';
import type { Queryable } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import type { LevelKind } from '../variables/key-levels';
import type { UpdatedLevel } from './changed-levels';

/** A region, cell or label that sets a key before or after a change. */
export interface SettingLevel {
  readonly kind: LevelKind;
  readonly id: number;
  /** A cell's region. */
  readonly regionId: number | undefined;
  /** The names of a label, which determine its order among labels. */
  readonly nameBefore: string;
  readonly nameAfter: string;
  /** The values, as JSON texts; undefined: the key is not set. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The levels that set a key before or after a change. */
export interface KeyLevels {
  readonly key: string;
  /** The key as a JSON string. */
  readonly jsonKey: string;
  /** The kinds of devices that have devices with an own value. */
  readonly ownKinds: string[];
  readonly levels: SettingLevel[];
}

interface Row {
  [column: string]: unknown;
  readonly kind: LevelKind | 'own';
  readonly key: string;
  readonly id: number;
  readonly region_id: number | null;
  /** The name of the level; for kind 'own', the kind of the devices. */
  readonly name: string;
  readonly value: string;
}

/**
 * Reads which levels set keys, with one query. The query sees correlations before the change and documents after it,
 * so both values of updated levels come from the change itself.
 * @param texts the keys as JSON strings
 */
export async function readKeyLevels(
  on: Queryable,
  projectId: string,
  texts: readonly string[],
  updated: readonly UpdatedLevel[],
): Promise<KeyLevels[]> {
  const keys = texts.map((text) => JSON.parse(text) as string);
  const rows = await on.rows<Row>(
    sql`
      SELECT 'region' AS kind, v.key, t.id, NULL::bigint AS region_id, t.name, (t.variables -> v.key)::text AS value
      FROM variable_correlations v JOIN regions t ON t.project_id = v.project_id AND t.id = v.object_id
      WHERE v.project_id = ${projectId} AND v.key = ANY(${arrayParameter(keys)}::text[]) AND v.object_type = 'region'
      UNION ALL
      SELECT 'cell', v.key, t.id, t.region_id, t.name, (t.variables -> v.key)::text
      FROM variable_correlations v JOIN cells t ON t.project_id = v.project_id AND t.id = v.object_id
      WHERE v.project_id = ${projectId} AND v.key = ANY(${arrayParameter(keys)}::text[]) AND v.object_type = 'cell'
      UNION ALL
      SELECT 'label', v.key, t.id, NULL, t.label, (t.variables -> v.key)::text
      FROM variable_correlations v JOIN labels t ON t.project_id = v.project_id AND t.id = v.object_id
      WHERE v.project_id = ${projectId} AND v.key = ANY(${arrayParameter(keys)}::text[]) AND v.object_type = 'label'
      UNION ALL
      SELECT 'own', k.key, NULL, NULL, d.kind, NULL
      FROM unnest(${arrayParameter(keys)}::text[]) AS k (key) CROSS JOIN unnest(${arrayParameter(deviceKindNames)}::text[]) AS d (kind)
      CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = ${projectId} AND v.key = k.key
        AND v.object_type = d.kind ORDER BY v.object_id LIMIT 1) AS found`,
    'custom',
  );
  const keyLevels = new Map<string, KeyLevels>();
  for (const [i, text] of texts.entries()) {
    const key = keys[i] ?? '';
    keyLevels.set(key, {
      key,
      jsonKey: text,
      ownKinds: [],
      levels: updated.flatMap((level) => settingLevel(level, text)),
    });
  }
  const updatedLevels = new Set(updated.map(({ kind, id }) => `${kind} ${String(id)}`));
  for (const row of rows) {
    const found = keyLevels.get(row.key);
    if (!found) continue;
    if (row.kind === 'own') found.ownKinds.push(row.name);
    else if (!updatedLevels.has(`${row.kind} ${String(row.id)}`))
      found.levels.push(unchangedLevel(row, row.kind));
  }
  return [...keyLevels.values()];
}

function settingLevel(level: UpdatedLevel, text: string): SettingLevel[] {
  const [before, after] = [level.before.get(text), level.after.get(text)];
  return before === undefined && after === undefined ? [] : [{ ...level, before, after }];
}

const unchangedLevel = ({ id, region_id, name, value }: Row, kind: LevelKind): SettingLevel => ({
  kind,
  id,
  regionId: region_id ?? undefined,
  nameBefore: name,
  nameAfter: name,
  before: value,
  after: value,
});
