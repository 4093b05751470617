import { randomUUID } from 'node:crypto';
import type { ChangeSet } from '../../changes/change-set';
import { isChanged, ownMembers } from '../../database/resource-sql';
import { arrayParameter, join, raw, sql, type Sql } from '../../database/sql';
import { isRecordedObject, type RecordedChange, type RecordedObject } from './recorded-change';
import { deletionOrder, isDevice, restoredColumns, type RevertibleKind } from './revertible-kinds';

/** Objects whose rows one statement writes: they have the same table and columns. */
interface WriteGroup {
  readonly kind: RevertibleKind;
  readonly columns: readonly string[];
  readonly ordinals: number[];
}

function groupByColumns(
  objects: readonly RecordedObject[],
  columnsFor: (object: RecordedObject) => readonly string[],
  nameOf = ({ kind }: RecordedObject): string => kind.mapping.kind,
): WriteGroup[] {
  const groups = new Map<string, WriteGroup>();
  for (const object of objects) {
    const columns = columnsFor(object);
    const name = [nameOf(object), ...columns].join(' ');
    const group = groups.get(name);
    if (group) group.ordinals.push(object.ordinal);
    else groups.set(name, { kind: object.kind, columns, ordinals: [object.ordinal] });
  }
  return [...groups.values()];
}

/** Runs the statements as one. Foreign keys are checked at its end, so that rows can refer to each other. */
async function executeTogether(change: ChangeSet, statements: readonly Sql[]): Promise<void> {
  if (statements.length === 0) return;
  const steps = statements.map((statement, i) => sql`${raw(`step_${String(i)}`)} AS (${statement})`);
  await change.tx.execute(sql`WITH ${join(steps)} SELECT`);
}

const columnList = (columns: readonly string[], prefix = ''): Sql =>
  raw(columns.map((column) => `${prefix}"${column}"`).join(', '));

/**
 * Recreates the resources that the change deleted, with the same ids, so that references from outside stay valid. The
 * version is increased, so that entity tags from before the deletion are invalid.
 */
export async function recreateDeleted(
  change: ChangeSet,
  recorded: RecordedChange,
  deleted: readonly RecordedObject[],
): Promise<void> {
  // Referenced resources first, in the order opposite to that of a deletion.
  const ordered = deleted.toSorted((a, b) => deletionOrder(b.kind, a.kind));
  const groups = groupByColumns(ordered, recreatedColumns(deleted), ({ kind }) => kind.mapping.table);
  await executeTogether(
    change,
    groups.map((group) => recreation(recorded, group)),
  );
  for (const { kind, id } of deleted) change.created(kind.mapping, recorded.projectId, id);
}

/**
 * The columns of each recreated row. A record that is older than a migration lacks the newer members: they get the defaults of
 * their columns. The columns of other kinds in its table are null. So one statement writes devices of all kinds, which
 * can have each other as parents: Citus checks foreign keys after each insert of a statement.
 */
function recreatedColumns(deleted: readonly RecordedObject[]): (object: RecordedObject) => readonly string[] {
  const written = new Map<string, Set<string>>();
  for (const { kind, members } of deleted) {
    const { table } = kind.mapping;
    const columns = written.get(table) ?? new Set();
    for (const column of restoredColumns(kind, members)) columns.add(column);
    written.set(table, columns);
  }
  return ({ kind, members }) => {
    const own = new Set(ownMembers(kind.mapping));
    const recordedMembers = new Set(members);
    return [...(written.get(kind.mapping.table) ?? [])]
      .filter((column) => recordedMembers.has(column) || !own.has(column))
      .sort();
  };
}

function recreation(recorded: RecordedChange, { kind, columns, ordinals }: WriteGroup): Sql {
  const { mapping, identity, discriminator } = kind;
  const recordedColumns = [...identity, 'created_at', ...columns];
  const values: Sql[] = [columnList(recordedColumns, 'p.'), sql`p.version + 1, clock_timestamp()`];
  const targetColumns = [...recordedColumns, 'version', 'updated_at'];
  if (discriminator !== undefined) {
    targetColumns.push(discriminator);
    values.push(sql`o.kind`);
  }
  if (mapping.carriesVariables) {
    targetColumns.push('variables');
    values.push(variablesBefore);
  }
  return sql`INSERT INTO ${raw(mapping.table)} (${columnList(targetColumns)}) OVERRIDING SYSTEM VALUE SELECT ${join(values)}
    FROM change_objects o CROSS JOIN LATERAL jsonb_populate_record(NULL::${raw(mapping.table)}, o.before) p
    WHERE ${isRecordedObject(recorded, ordinals)}`;
}

/**
 * Gives the resources that lose their names other ones until they get their former names or are deleted: one change can
 * reuse or swap names, which must be unique at any time.
 */
export async function releaseNames(
  change: ChangeSet,
  { projectId }: RecordedChange,
  {
    created,
    updated,
    deleted,
  }: Readonly<Record<'created' | 'updated' | 'deleted', readonly RecordedObject[]>>,
): Promise<void> {
  const isRenamed = ({ kind, members }: RecordedObject) => members.includes(kind.mapping.nameField);
  const renamed = updated.filter(isRenamed);
  const losing = [...created, ...renamed];
  // A name that is needed can be that of another resource only if there is one.
  if (renamed.length + deleted.length === 0 || losing.length + deleted.length < 2) return;
  for (const { mapping } of new Set(losing.map(({ kind }) => kind))) {
    if (mapping.idType === 'uuid' || mapping.fields[mapping.nameField]?.sort?.type !== 'text') continue;
    const ids = losing.filter(({ kind }) => kind.mapping === mapping).map(({ id }) => id);
    await change.tx.execute(sql`UPDATE ${raw(mapping.table)} t
      SET ${raw(`"${mapping.nameField}"`)} = ${randomUUID()}::text || ' ' || t.id
      WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[])`);
  }
}

/**
 * Detaches the devices that are going to be deleted from their parents, so that they can be deleted in any order. Like
 * `releaseNames`, it raises no version, and the record has the state before, because the devices are locked.
 * @param created locked resources that the revert deletes
 */
export async function releaseParents(
  change: ChangeSet,
  { projectId }: RecordedChange,
  created: readonly RecordedObject[],
): Promise<void> {
  const ids = created.filter(({ kind }) => isDevice(kind)).map(({ id }) => id);
  if (ids.length < 2) return;
  await change.tx.execute(sql`UPDATE devices SET parent_id = NULL
    WHERE project_id = ${projectId} AND id = ANY(${arrayParameter(ids)}::bigint[]) AND parent_id IS NOT NULL`);
}

/** The former values of the variables that the change altered or removed. */
const variablesBefore = sql`(SELECT COALESCE(jsonb_object_agg(v.key, v.value -> 'before'), '{}')
  FROM jsonb_each(o.variables) v WHERE v.value ? 'before')`;

/** The keys that were not set before the change. */
const keysAdded = sql`ARRAY(SELECT v.key FROM jsonb_each(o.variables) v WHERE NOT v.value ? 'before')`;

/** The former values of the members that the change altered. Later changes to other members are preserved. */
const membersBefore = sql`(SELECT COALESCE(jsonb_object_agg(m.key, m.value), '{}')
  FROM jsonb_each(o.before) m WHERE ${isChanged(sql`m.value`, sql`o.after -> m.key`)})`;

/**
 * Restores the members and variables that the change altered. The rows must be locked. A cell that moves back to its
 * region is written in the same statement as its devices, because a device and its cell must be in the same region.
 */
export async function restoreUpdated(
  change: ChangeSet,
  recorded: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  const groups = groupByColumns(updated, (object) => restoredColumns(object.kind, object.members));
  const isProject = ({ kind }: WriteGroup) => kind.mapping.idType === 'uuid';
  for (const group of groups.filter(isProject)) await restoreProject(change, recorded, group);
  await executeTogether(
    change,
    groups.filter((group) => !isProject(group)).map((group) => restoration(change, recorded, group)),
  );
}

/** With two statements: on Citus, none can read change records, which are on one node, and write projects, which are on all. */
async function restoreProject(
  change: ChangeSet,
  recorded: RecordedChange,
  { kind, columns, ordinals }: WriteGroup,
): Promise<void> {
  const [row] = await change.tx.rows<{ members: string }>(
    sql`SELECT ${membersBefore}::text AS members FROM change_objects o WHERE ${isRecordedObject(recorded, ordinals)}`,
  );
  if (!row) throw new Error('the recorded project was not found');
  const set = [change.nextVersion, ...restoredMembers(columns, sql`${row.members}::jsonb`)];
  await change.tx.execute(
    sql`UPDATE ${raw(kind.mapping.table)} t SET ${join(set)}
      WHERE t.project_id = ${recorded.projectId} AND t.id = ${recorded.projectId}`,
  );
}

/** The assignment of the columns, if any, in an `UPDATE` of `t`. @param members the former members, as `jsonb` */
const restoredMembers = (columns: readonly string[], members: Sql): Sql[] =>
  columns.length === 0
    ? []
    : [
        sql`(${columnList(columns)}) = (SELECT ${columnList(columns, 'p.')}
          FROM jsonb_populate_record(t, ${members}) AS p)`,
      ];

function restoration(
  change: ChangeSet,
  recorded: RecordedChange,
  { kind, columns, ordinals }: WriteGroup,
): Sql {
  const { mapping } = kind;
  const set = [change.nextVersion, ...restoredMembers(columns, membersBefore)];
  if (mapping.carriesVariables) set.push(sql`variables = (t.variables - ${keysAdded}) || ${variablesBefore}`);
  return sql`UPDATE ${raw(mapping.table)} t SET ${join(set)} FROM change_objects o
    WHERE ${isRecordedObject(recorded, ordinals)} AND t.project_id = o.project_id AND t.id = o.object_id`;
}

/** Adds the labels that the change removed, also by deleting a resource, and removes those that it added, by their ids. */
export async function restoreLabels(
  change: ChangeSet,
  recorded: RecordedChange,
  labelled: readonly RecordedObject[],
): Promise<void> {
  for (const { kind, ordinals } of groupByColumns(labelled, () => [])) {
    const { labels } = kind.mapping;
    if (!labels) continue;
    const [table, owner] = [raw(labels.table), raw(labels.owner)];
    await change.tx.execute(sql`DELETE FROM ${table} a USING change_objects o
      WHERE ${isRecordedObject(recorded, ordinals)} AND a.project_id = o.project_id AND a.${owner} = o.object_id
        AND a.label_id = ANY(o.labels_after) AND a.label_id <> ALL(o.labels_before)`);
    await change.tx.execute(sql`INSERT INTO ${table} (project_id, ${owner}, label_id)
      SELECT o.project_id, o.object_id, l.id FROM change_objects o, unnest(o.labels_before) AS l (id)
      WHERE ${isRecordedObject(recorded, ordinals)} AND (o.labels_after IS NULL OR l.id <> ALL(o.labels_after))
      ON CONFLICT DO NOTHING`);
  }
}
