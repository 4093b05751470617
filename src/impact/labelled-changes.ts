import { byCodePoint } from '../core/characters';
import { list, sql, type Sql } from '../database/sql';
import type { LevelKind } from '../variables/levels';
import type { Labelled } from './affected-scopes';
import { DEVICE_KINDS, type KeySetters } from './key-definitions';

/** The values of a key at a level, replaced by numbers that are equal for equal values; null: the key is not set. */
interface NumberedDefinition {
  readonly key: string;
  readonly kind: LevelKind;
  readonly id: number;
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * The number of a label's value is rank * RANK_FACTOR + value. So the value of the highest-ranking label is the
 * maximum.
 */
const RANK_FACTOR = 2 ** 26;

/**
 * The keys that change for devices with updated labels, as a query for `key` and the `id` of the device. The query
 * resolves these keys for each device before and after the change. It compares numbers instead of values.
 */
export function labelledChanges(projectId: string, { devices, keys }: Labelled): Sql {
  const numbered = keys.flatMap(numberDefinitions);
  return sql`
    SELECT k.key, d.id FROM unnest(${list(keys.map(({ key }) => key))}::text[]) AS k (key)
    CROSS JOIN (${devices}) AS c JOIN devices d ON d.project_id = ${projectId} AND d.id = c.id
    LEFT JOIN (
      SELECT l.key, a.device_id, max(l.before) % ${RANK_FACTOR}::bigint AS before, max(l.after) % ${RANK_FACTOR}::bigint AS after
      FROM (${devices}) AS c JOIN device_labels a ON a.project_id = ${projectId} AND a.device_id = c.id
      JOIN ${definitionRows(numbered, 'label')} AS l (key, id, before, after) ON l.id = a.label_id
      GROUP BY l.key, a.device_id
    ) AS label ON label.key = k.key AND label.device_id = d.id
    LEFT JOIN ${definitionRows(numbered, 'cell')} AS cell (key, id, before, after)
      ON cell.key = k.key AND cell.id = d.cell_id
    LEFT JOIN ${definitionRows(numbered, 'region')} AS region (key, id, before, after)
      ON region.key = k.key AND region.id = d.region_id
    WHERE COALESCE(label.before, cell.before, region.before)
      IS DISTINCT FROM COALESCE(label.after, cell.after, region.after)
    AND NOT EXISTS (SELECT FROM variable_correlations v WHERE v.project_id = ${projectId}
      AND v.object_type = ANY(${list(DEVICE_KINDS)}::text[]) AND v.object_id = d.id AND v.key = k.key)`;
}

function numberDefinitions({ key, levels }: KeySetters): NumberedDefinition[] {
  const values = new Map<string, number>();
  const numberOf = (value: string | undefined, rank: number): number | null => {
    if (value === undefined) return null;
    const known = values.get(value) ?? values.size;
    values.set(value, known);
    return rank * RANK_FACTOR + known;
  };
  const labels = levels.filter(({ kind }) => kind === 'label');
  const names = (name: 'nameBefore' | 'nameAfter') => labels.map((label) => label[name]).sort(byCodePoint);
  const [namesBefore, namesAfter] = [names('nameBefore'), names('nameAfter')];
  return levels.map(({ kind, id, nameBefore, nameAfter, before, after }) => ({
    key,
    kind,
    id,
    before: numberOf(before, kind === 'label' ? namesBefore.indexOf(nameBefore) : 0),
    after: numberOf(after, kind === 'label' ? namesAfter.indexOf(nameAfter) : 0),
  }));
}

/** The definitions at levels of one kind, as rows. */
function definitionRows(numbered: readonly NumberedDefinition[], kind: LevelKind): Sql {
  const found = numbered.filter((definition) => definition.kind === kind);
  const column = (name: 'id' | 'before' | 'after') => sql`${list(found.map((one) => one[name]))}::bigint[]`;
  return sql`unnest(${list(found.map(({ key }) => key))}::text[], ${column('id')}, ${column('before')}, ${column('after')})`;
}
