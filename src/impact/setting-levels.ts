import { deviceKindNames } from '../devices/device-kinds';
import type { Queryable } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { allLevels, byKind, keysOf, readKeyLevels, type KeyLevels } from '../variables/key-levels';
import type { ChangedLevel, UpdatedLevel } from './changed-levels';

/** A level with the JSON text of its value of a key before and after a change; undefined: the key is not set. */
export type SettingLevel = ChangedLevel<string | undefined>;

/** The levels that set a key before or after a change. `own` has the kinds of devices that have devices with an own value. */
export interface ChangedKey extends KeyLevels<SettingLevel, string> {
  readonly key: string;
  /** The key as a JSON string. */
  readonly jsonKey: string;
}

/**
 * Reads which levels set keys, with one query. The query sees correlations before the change and documents after it,
 * so both values of updated levels come from the change itself.
 * @param jsonKeys the keys as JSON strings
 */
export async function readChangedKeys(
  on: Queryable,
  projectId: string,
  jsonKeys: readonly string[],
  updated: readonly UpdatedLevel[],
): Promise<ChangedKey[]> {
  const keys = jsonKeys.map((jsonKey) => JSON.parse(jsonKey) as string);
  const query = {
    keys: keysOf(projectId, keys),
    value: sql`(t.variables -> k.key)::text`,
    own: {
      value: sql`to_json(d.kind)`,
      joined: sql`CROSS JOIN unnest(${arrayParameter(deviceKindNames)}::text[]) AS d (kind)
        CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = k.project_id AND v.key = k.key
          AND v.object_type = d.kind ORDER BY v.object_id LIMIT 1) AS found`,
    },
  };
  const isUpdated = new Set(updated.map(({ kind, id }) => `${kind} ${String(id)}`));
  const found = await readKeyLevels<string, string, string>(on, jsonKeys, query, 'custom');
  return found.map(({ of: jsonKey, own, ...read }) => {
    const others = allLevels(read).filter(({ kind, id }) => !isUpdated.has(`${kind} ${String(id)}`));
    const levels: SettingLevel[] = [
      ...updated.flatMap((level) => settingLevel(level, jsonKey)),
      ...others.map((level) => ({ ...level, before: level })),
    ];
    return { key: JSON.parse(jsonKey) as string, jsonKey, own, ...byKind(levels) };
  });
}

function settingLevel(level: UpdatedLevel, jsonKey: string): SettingLevel[] {
  const [before, value] = [level.before.value.get(jsonKey), level.value.get(jsonKey)];
  if (before === undefined && value === undefined) return [];
  return [{ ...level, value, before: { ...level.before, value: before } }];
}
