import type { ChangeSet } from '../../changes/change-set';
import { join, raw, sql, type Sql } from '../../database/sql';
import { objectsOf, type RecordedChange, type RecordedObject } from './recorded-change';
import { columnsOf, type RevertibleKind } from './revertible-kinds';

/** Rows that are written alike. */
interface Group {
  readonly kind: RevertibleKind;
  readonly columns: readonly string[];
  readonly ordinals: number[];
}

function grouped(
  objects: readonly RecordedObject[],
  columnsFor: (object: RecordedObject) => readonly string[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const object of objects) {
    const columns = columnsFor(object);
    const name = [object.kind.shape.kind, ...columns].join(' ');
    const group = groups.get(name);
    if (group) group.ordinals.push(object.ordinal);
    else groups.set(name, { kind: object.kind, columns, ordinals: [object.ordinal] });
  }
  return [...groups.values()];
}

/** One statement: foreign keys are checked when all of it is done, so that rows may refer to each other. */
async function together(change: ChangeSet, statements: readonly Sql[]): Promise<void> {
  if (statements.length === 0) return;
  const steps = statements.map((statement, i) => sql`${raw(`step_${String(i)}`)} AS (${statement})`);
  await change.tx.execute(sql`WITH ${join(steps)} SELECT`);
}

const names = (columns: readonly string[], of = ''): Sql =>
  raw(columns.map((column) => `${of}${column}`).join(', '));

/**
 * Makes what the change deleted once more, as it was: with the same id, so that whoever remembers it finds it again,
 * and with a version of its own, so that no entity tag from before its deletion holds.
 */
export async function restore(
  change: ChangeSet,
  recorded: RecordedChange,
  deleted: readonly RecordedObject[],
): Promise<void> {
  // A record from before a migration lacks the members that came later: they begin as they do for new rows.
  const groups = grouped(deleted, (object) => columnsOf(object.kind, object.members));
  await together(
    change,
    groups.map((group) => restoration(recorded, group)),
  );
  for (const { kind, id } of deleted) change.created(kind.shape, recorded.projectId, id);
}

function restoration(recorded: RecordedChange, { kind, columns, ordinals }: Group): Sql {
  const { shape, identity, discriminator } = kind;
  const recordedColumns = [...identity, 'created_at', ...columns];
  const of: Sql[] = [names(recordedColumns, 'p.'), sql`p.version + 1, clock_timestamp()`];
  const into = [...recordedColumns, 'version', 'updated_at'];
  if (discriminator !== undefined) {
    into.push(discriminator);
    of.push(sql`o.kind`);
  }
  if (shape.carriesVariables) {
    into.push('variables');
    of.push(variablesBefore);
  }
  return sql`INSERT INTO ${raw(shape.table)} (${names(into)}) OVERRIDING SYSTEM VALUE SELECT ${join(of)}
    FROM change_objects o CROSS JOIN LATERAL jsonb_populate_record(NULL::${raw(shape.table)}, o.before) p
    WHERE ${objectsOf(recorded, ordinals)}`;
}

/** The variables that were set before, of those that the change altered. */
const variablesBefore = sql`(SELECT COALESCE(jsonb_object_agg(v.key, v.value -> 'before'), '{}')
  FROM jsonb_each(o.variables) v WHERE v.value ? 'before')`;

/** The keys that the change set for the first time. */
const keysUnsetBefore = sql`ARRAY(SELECT v.key FROM jsonb_each(o.variables) v WHERE NOT v.value ? 'before')`;

/** The members that the change altered, as they were. What it left alone may have been changed since, and stays. */
const membersBefore = sql`(SELECT COALESCE(jsonb_object_agg(m.key, m.value), '{}')
  FROM jsonb_each(o.before) m WHERE o.after -> m.key IS DISTINCT FROM m.value)`;

/**
 * Puts back the members and variables that the change altered, in locked rows. A cell that moves back takes its devices
 * along in the same statement: a device's cell is always of the device's region.
 */
export async function putBack(
  change: ChangeSet,
  recorded: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  const groups = grouped(updated, (object) => columnsOf(object.kind, object.members));
  await together(
    change,
    groups.map((group) => update(change, recorded, group)),
  );
}

function update(change: ChangeSet, recorded: RecordedChange, { kind, columns, ordinals }: Group): Sql {
  const { shape } = kind;
  const set = [change.nextVersion];
  if (columns.length > 0)
    set.push(sql`(${names(columns)}) = (SELECT ${names(columns, 'p.')}
      FROM jsonb_populate_record(t, ${membersBefore}) AS p)`);
  if (shape.carriesVariables)
    set.push(sql`variables = (t.variables - ${keysUnsetBefore}) || ${variablesBefore}`);
  const id = raw(shape.idType === 'uuid' ? 'o.project_id' : 'o.object_id');
  return sql`UPDATE ${raw(shape.table)} t SET ${join(set)} FROM change_objects o
    WHERE ${objectsOf(recorded, ordinals)} AND t.project_id = o.project_id AND t.id = ${id}`;
}

/** Gives what the change took labels from, or deleted, its labels again, and takes those that it gave. By their ids. */
export async function putLabelsBack(
  change: ChangeSet,
  recorded: RecordedChange,
  labelled: readonly RecordedObject[],
): Promise<void> {
  for (const { kind, ordinals } of grouped(labelled, () => [])) {
    const { labels } = kind.shape;
    if (!labels) continue;
    const [table, owner] = [raw(labels.table), raw(labels.owner)];
    await change.tx.execute(sql`DELETE FROM ${table} a USING change_objects o
      WHERE ${objectsOf(recorded, ordinals)} AND a.project_id = o.project_id AND a.${owner} = o.object_id
        AND a.label_id = ANY(o.labels_after) AND a.label_id <> ALL(o.labels_before)`);
    await change.tx.execute(sql`INSERT INTO ${table} (project_id, ${owner}, label_id)
      SELECT o.project_id, o.object_id, l.id FROM change_objects o, unnest(o.labels_before) AS l (id)
      WHERE ${objectsOf(recorded, ordinals)} AND (o.labels_after IS NULL OR l.id <> ALL(o.labels_after))
      ON CONFLICT DO NOTHING`);
  }
}
