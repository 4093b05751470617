import { byCodePoint } from '../core/characters';
import { list, sql, type Sql } from '../database/sql';
import type { LevelKind } from '../variables/levels';
import type { Labelled } from './affected-scopes';
import { DEVICE_KINDS, type KeySetters } from './key-definitions';

/** What a level gives for a key on both sides, as numbers that are equal for equal values; null where it sets none. */
interface NumberedSetter {
  readonly key: string;
  readonly kind: LevelKind;
  readonly id: number;
  readonly before: number | null;
  readonly after: number | null;
}

/** A label's number is its place in the order of names, times this, and its value's: of several, the greatest decides. */
const PLACE = 2 ** 26;

/**
 * The keys that change for devices with altered labels, as a query for `key` and the device's `id`. Each device is
 * resolved for these keys, before and after, by numbers that stand for the values.
 */
export function labelledChanges(projectId: string, { devices, keys }: Labelled): Sql {
  const numbered = keys.flatMap(numberedSetters);
  return sql`
    SELECT k.key, d.id FROM unnest(${list(keys.map(({ key }) => key))}::text[]) AS k (key)
    CROSS JOIN (${devices}) AS c JOIN devices d ON d.project_id = ${projectId} AND d.id = c.id
    LEFT JOIN (
      SELECT l.key, a.device_id, max(l.before) % ${PLACE}::bigint AS before, max(l.after) % ${PLACE}::bigint AS after
      FROM (${devices}) AS c JOIN device_labels a ON a.project_id = ${projectId} AND a.device_id = c.id
      JOIN ${setters(numbered, 'label')} AS l (key, id, before, after) ON l.id = a.label_id
      GROUP BY l.key, a.device_id
    ) AS label ON label.key = k.key AND label.device_id = d.id
    LEFT JOIN ${setters(numbered, 'cell')} AS cell (key, id, before, after)
      ON cell.key = k.key AND cell.id = d.cell_id
    LEFT JOIN ${setters(numbered, 'region')} AS region (key, id, before, after)
      ON region.key = k.key AND region.id = d.region_id
    WHERE COALESCE(label.before, cell.before, region.before)
      IS DISTINCT FROM COALESCE(label.after, cell.after, region.after)
    AND NOT EXISTS (SELECT FROM variable_correlations v WHERE v.project_id = ${projectId}
      AND v.object_type = ANY(${list(DEVICE_KINDS)}::text[]) AND v.object_id = d.id AND v.key = k.key)`;
}

function numberedSetters({ key, levels }: KeySetters): NumberedSetter[] {
  const values = new Map<string, number>();
  const number = (value: string | undefined, place: number): number | null => {
    if (value === undefined) return null;
    const known = values.get(value) ?? values.size;
    values.set(value, known);
    return place * PLACE + known;
  };
  const labels = levels.filter(({ kind }) => kind === 'label');
  const names = (name: 'nameBefore' | 'nameAfter') => labels.map((label) => label[name]).sort(byCodePoint);
  const [namesBefore, namesAfter] = [names('nameBefore'), names('nameAfter')];
  return levels.map(({ kind, id, nameBefore, nameAfter, before, after }) => ({
    key,
    kind,
    id,
    before: number(before, kind === 'label' ? namesBefore.indexOf(nameBefore) : 0),
    after: number(after, kind === 'label' ? namesAfter.indexOf(nameAfter) : 0),
  }));
}

/** The setters of one kind as rows. */
function setters(numbered: readonly NumberedSetter[], kind: LevelKind): Sql {
  const found = numbered.filter((setter) => setter.kind === kind);
  const column = (name: 'id' | 'before' | 'after') => sql`${list(found.map((one) => one[name]))}::bigint[]`;
  return sql`unnest(${list(found.map(({ key }) => key))}::text[], ${column('id')}, ${column('before')}, ${column('after')})`;
}
