import type { AppliedProposal } from '../core/context/request-context';
import { valueHash } from '../database/resource-sql';
import { arrayParameter, sql, textArray, type Sql } from '../database/sql';
import { insertValues } from '../database/variable-values';
import { type ChangeDiff, diffText, type ObjectDiff, type VariableChange } from './change-diff';
import type { ImpactCount } from './impact-assessor';
import { similarNames } from './similar-names';
import { createdStatements, type NumberedObject } from './created-resources';
import { membersIn } from './resource-snapshot';
import type { Queryable } from '../database/database';
import { deferredColumn, verifyDeferred, type DeferredCheck, type DeferredRow } from './write-policy';

/**
 * The lock of a project's change records, which orders their ids. It is the last advisory lock that a change takes, and is
 * held until the transaction ends.
 */
const lockKey = (projectId: string): Sql => sql`hashtextextended(${`change records of ${projectId}`}, 0)`;

/**
 * Every change takes the lock in shared mode before its record id is assigned, except large changes (ADR 17). See
 * `lockRecordOrder`.
 * @returns an expression
 */
const sharedRecordLock = (projectId: string): Sql => sql`pg_advisory_xact_lock_shared(${lockKey(projectId)})`;

/**
 * Makes an impact that is counted after this call consistent with the ids of records: the transaction sees every change
 * with a smaller id, except large changes (ADR 17), which do not take the lock. All other changes
 * assign the id while they hold the lock in shared mode, and hold it until they commit. A holder of the exclusive lock
 * has therefore waited for all changes that have an id, and no other change gets one before it commits. A holder of the
 * shared lock has waited for every holder of the exclusive lock.
 * @param mode exclusive for a change that alters what devices inherit
 */
export async function lockRecordOrder(
  on: Queryable,
  projectId: string,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  await on.rows(
    mode === 'shared'
      ? sql`SELECT ${sharedRecordLock(projectId)}`
      : sql`SELECT pg_advisory_xact_lock(${lockKey(projectId)})`,
  );
}

/** Label ids as the text of an array: PostgreSQL does not accept arrays of arrays of different lengths. */
const idsText = (ids: readonly number[] | undefined): string | null => (ids ? `{${ids.join(',')}}` : null);

/** Who made a change, and why. */
type RecordHead = Omit<ChangeDiff, 'objects' | 'holdsDefinitionLock'>;

/**
 * Stores a change's record in one statement: the change, an object for each resource that it touched, and a row for
 * each variable that it set last. The record's id is assigned after all locks are taken: of two changes to one
 * resource, the later one has the greater id.
 * @param checks the checks of the change that are left
 * @returns the record's id, and warnings of names that are similar to existing ones
 * @throws InventoryError of the checks
 */
export async function storeChange(
  change: ChangeDiff,
  impact: ImpactCount,
  checks: readonly DeferredCheck[],
): Promise<StoredRecord> {
  const { tx, projectId } = change;
  // The row comes from the lock, so that the id is assigned while the lock is held.
  const locked = sql`(SELECT ${sharedRecordLock(projectId)}) AS locked`;
  const [row] = await tx.writeJointly<{ id: number; similar: readonly string[] | null } & DeferredRow>({
    insert: insertChange(change, impact, sql`FROM ${locked}`),
    writes: (id) => objectStatements(projectId, numbered(change, 0), id),
    result: sql`id, ${similarColumn(change)}, ${deferredColumn(checks)}`,
  });
  if (!row) throw new Error('a change was not recorded');
  await verifyDeferred(checks, row);
  return { id: row.id, warnings: row.similar ?? [] };
}

/** A stored record. */
export interface StoredRecord {
  readonly id: number;
  readonly warnings: readonly string[];
}

/** The warnings of similar names, as a column of a statement that is sent anyway. */
const similarColumn = (change: ChangeDiff): Sql =>
  sql`(${similarNames(change) ?? sql`NULL::json`}) AS similar`;

/**
 * Begins the record of a change.
 * @param impact absent for a large change: it is not known yet
 * @returns the record's id
 */
export async function beginRecord(head: RecordHead, impact?: ImpactCount): Promise<number> {
  const [row] = await head.tx.rows<{ id: number }>(insertChange(head, impact, sql``));
  if (!row) throw new Error('a change was not recorded');
  return row.id;
}

/**
 * Adds the objects of a part to the record of a large change. What it records of created resources is copied from their
 * rows within the database.
 * @param offset how many the earlier parts have touched
 * @returns warnings of names that are similar to existing ones
 */
export async function storePart(
  part: ChangeDiff,
  changeId: number,
  offset: number,
): Promise<readonly string[]> {
  const { projectId } = part;
  const id = sql`${changeId}::bigint`;
  const objects = numbered(part, offset);
  const created = objects.filter(({ object }) => object.action === 'create');
  const others = objects.filter(({ object }) => object.action !== 'create');
  const [row] = await part.tx.writeJointly<{ similar: readonly string[] | null }>({
    writes: (_, materialize) => [
      ...createdStatements(projectId, created, id, materialize),
      ...(others.length > 0 ? objectStatements(projectId, others, id) : []),
    ],
    result: similarColumn(part),
  });
  return row?.similar ?? [];
}

/** Stores the impact of all parts. A record is immutable, so the impact is stored in a separate table. */
export async function endRecord(
  { tx, projectId, policy }: RecordHead,
  changeId: number,
  impact: ImpactCount,
  objects: number,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO change_impacts (project_id, change_id, devices, public, hiding, objects)
    VALUES (${projectId}, ${changeId}, ${impact.devices}, ${impact.publicDevices},
      ${arrayParameter(policy?.privateKeys ?? [])}::text[], ${objects})`);
}

function insertChange(
  { ctx, projectId, reason, policy, override, proposal, reverts }: RecordHead,
  impact: ImpactCount | undefined,
  source: Sql,
): Sql {
  const { principal, requestId } = ctx;
  const hiding = impact && (policy?.privateKeys ?? []);
  return sql`
    INSERT INTO changes
      (project_id, created_at, actor_id, actor_username, request_id, reason, impact_devices, impact_public,
        impact_hiding, override, proposal, reverts)
    SELECT ${projectId}::uuid, clock_timestamp(), ${principal.userId || null}::bigint,
      ${principal.username}::text, ${requestId}::text, ${reason ?? null}::text, ${impact?.devices ?? null}::bigint,
      ${impact?.publicDevices ?? null}::bigint, ${hiding ? arrayParameter(hiding) : null}::text[],
      ${override ?? null}::text, ${proposal ? JSON.stringify(recordedProposal(proposal)) : null}::jsonb,
      ${reverts && reverts.length > 0 ? arrayParameter(reverts) : null}::bigint[]
    ${source}
    RETURNING id`;
}

/** A proposal as a record shows it. */
export const recordedProposal = ({ id, revision, author, approvers }: AppliedProposal): object => ({
  id,
  revision,
  author,
  approvers: approvers.map(({ id, username }) => ({ id, username })),
});

const numbered = ({ objects }: ChangeDiff, offset: number): NumberedObject[] =>
  objects.map((object, index) => ({ object, ordinal: offset + index }));

/**
 * The statements that store the objects. Empty ones are left out, and a single object, as in most changes, is not passed
 * as an array: the statement is then planned once and reused.
 * @param changeId an expression
 */
function objectStatements(projectId: string, all: readonly NumberedObject[], changeId: Sql): Sql[] {
  const [first, ...others] = all;
  const objects = all.map(({ object }) => object);
  const statements = [
    sql`INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, before, after,
        labels_before, labels_after, variables, keys)
      SELECT ${projectId}::uuid, ${changeId}, o.ordinal, o.kind, o.object_id, o.name, o.action, o.before, o.after,
        o.labels_before::bigint[], o.labels_after::bigint[], o.variables, ARRAY(SELECT jsonb_object_keys(o.variables))
      FROM ${first && others.length === 0 ? oneRow(first) : rowsOf(all)}
        AS o (ordinal, kind, object_id, name, action, before, after, labels_before, labels_after, variables)`,
  ];
  // New resources have none, so PostgreSQL need not look for them before each row.
  const areNew = objects.every(({ action }) => action === 'create');
  const set = variablesOf(objects, (variable) => variable.after !== undefined);
  if (set)
    statements.push(sql`
      INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
      SELECT ${projectId}::uuid, c.kind, c.object_id, c.key, ${changeId}, ${valueHash(sql`c.key`, sql`c.scalar::jsonb`)}
      FROM ${set} AS c (kind, object_id, key, scalar) ${areNew ? sql`` : REPLACE_CORRELATION}`);
  const scalars = scalarsOf(objects);
  if (scalars)
    statements.push(
      insertValues(
        sql`SELECT ${projectId}::uuid AS project_id, c.key, c.scalar::jsonb FROM ${scalars} AS c (key, scalar)`,
        sql`${projectId}::uuid`,
      ),
    );
  const unset = variablesOf(objects, (variable) => variable.after === undefined);
  if (unset)
    statements.push(sql`
      DELETE FROM variable_correlations v USING ${unset} AS c (kind, object_id, key, scalar)
      WHERE v.project_id = ${projectId}::uuid
        AND v.object_type = c.kind AND v.object_id = c.object_id AND v.key = c.key`);
  return statements;
}

const REPLACE_CORRELATION = sql`ON CONFLICT (project_id, object_type, object_id, key)
  DO UPDATE SET change_id = excluded.change_id, value_hash = excluded.value_hash`;

function oneRow({ object: o, ordinal }: NumberedObject): Sql {
  return sql`(VALUES (${ordinal}::integer, ${o.mapping.kind}::text, ${o.id || null}::bigint, ${o.name}::text,
    ${o.action}::text, ${o.before?.members ?? null}::jsonb, ${recordedAfter(o)}::jsonb,
    ${idsText(o.before?.labelIds)}::text, ${idsText(o.after?.labelIds)}::text, ${diffText(o.variables)}::jsonb))`;
}

const recordedAfter = ({ after }: ObjectDiff): string | null => (after ? membersIn(after) : null);

function rowsOf(all: readonly NumberedObject[]): Sql {
  const of = <T>(read: (object: ObjectDiff) => T) => all.map(({ object }) => read(object));
  return sql`(SELECT o.ordinal, o.kind, o.object_id, o.name, o.action, o.before::jsonb, o.after::jsonb, o.labels_before,
      o.labels_after, o.variables::jsonb FROM unnest(
    ${arrayParameter(all.map(({ ordinal }) => ordinal))}::integer[],
    ${textArray(of((o) => o.mapping.kind))}::text[],
    ${arrayParameter(of((o) => o.id || null))}::bigint[],
    ${textArray(of((o) => o.name))}::text[],
    ${textArray(of((o) => o.action))}::text[],
    ${textArray(of((o) => o.before?.members ?? null))}::text[],
    ${textArray(of(recordedAfter))}::text[],
    ${textArray(of((o) => idsText(o.before?.labelIds)))}::text[],
    ${textArray(of((o) => idsText(o.after?.labelIds)))}::text[],
    ${textArray(of((o) => diffText(o.variables)))}::text[])
      AS o (ordinal, kind, object_id, name, action, before, after, labels_before, labels_after, variables) OFFSET 0)`;
}

/** The scalars that are set, each once for its key, as rows of key and value; undefined if there are none. */
function scalarsOf(objects: readonly ObjectDiff[]): Sql | undefined {
  const scalars = new Map<string, { readonly key: string; readonly scalar: string }>();
  for (const { variables } of objects)
    for (const { key, after } of variables) {
      const scalar = scalarOf(after);
      if (scalar !== null) scalars.set(`${key}:${scalar}`, { key: JSON.parse(key) as string, scalar });
    }
  if (scalars.size === 0) return undefined;
  const rows = [...scalars.values()];
  return sql`unnest(${textArray(rows.map(({ key }) => key))}::text[], ${textArray(rows.map(({ scalar }) => scalar))}::text[])`;
}

/** A value as JSON text, or null if it is an array or an object. */
const scalarOf = (value: string | undefined): string | null =>
  value === undefined || value.startsWith('[') || value.startsWith('{') ? null : value;

/**
 * The changed variables that `which` selects, as rows of kind, id, key and new value, which is null if it is not a scalar;
 * undefined if there are none.
 */
function variablesOf(
  objects: readonly ObjectDiff[],
  which: (variable: VariableChange) => boolean,
): Sql | undefined {
  const rows = objects.flatMap((object) =>
    object.variables.filter(which).map((variable) => ({
      object,
      key: JSON.parse(variable.key) as string,
      scalar: scalarOf(variable.after),
    })),
  );
  const [first] = rows;
  if (!first) return undefined;
  const values = sql`${textArray(rows.map(({ key }) => key))}::text[],
    ${textArray(rows.map(({ scalar }) => scalar))}::text[]`;
  if (rows.every(({ object }) => object === first.object))
    return sql`(SELECT ${first.object.mapping.kind}::text, ${first.object.id}::bigint, v.* FROM unnest(${values}) AS v)`;
  return sql`unnest(${textArray(rows.map(({ object }) => object.mapping.kind))}::text[],
    ${arrayParameter(rows.map(({ object }) => object.id))}::bigint[], ${values})`;
}
