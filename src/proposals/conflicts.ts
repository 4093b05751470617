import { type ChangeDiff, memberChanges, type ObjectDiff } from '../changes/change-diff';
import { membersIn } from '../changes/resource-snapshot';
import { resourceKey } from '../changes/touched-resources';
import type { Visibility } from '../core/context/variable-keys';
import { InventoryError } from '../core/errors';
import { type DocumentMembers, membersOf, membersOfRow } from '../core/json/json-text';
import { arrayParameter, join, sql, type Sql, textArray } from '../database/sql';
import { isProposal } from './proposal-kind';

/** A member or a variable that a proposal writes and others have changed since. The values are JSON texts. */
export interface Conflict {
  /** The operation that writes the resource first. */
  readonly operation: number;
  readonly kind: string;
  readonly resourceId: number;
  readonly name: string;
  readonly field: string;
  readonly then: string | undefined;
  readonly now: string | undefined;
  readonly proposed: string | undefined;
}

/** What a later change recorded of one resource. */
export interface LaterRecord {
  readonly [column: string]: unknown;
  readonly kind: string;
  /** 0 for a project and its settings. */
  readonly id: number;
  /** The members on both sides, as PostgreSQL prints a `jsonb`; null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly variables: string;
}

/** How many records of other changes are compared. */
const MAX_RECORDS = 10_000;

/** Members that every write changes. */
const OF_EVERY_WRITE = ['updated_at', 'version'].map((name) => JSON.stringify(name));

/**
 * Finds the conflicts of a proposal. A change that wrote one of its resources after `since` has locked it after that, and
 * has been recorded later still.
 * @param since a time at which the proposal has held the locks of its resources
 * @param operationOf the operation that wrote a resource, by `resourceKey`
 * @throws InventoryError 409 if there are too many later changes to compare
 */
export async function findConflicts(
  { tx, projectId, objects }: ChangeDiff,
  since: string,
  operationOf: ReadonlyMap<string, number>,
): Promise<Conflict[]> {
  const existing = objects.filter(({ mapping, before }) => !isProposal(mapping) && before !== undefined);
  if (existing.length === 0) return [];
  const isLater = sql`EXISTS (SELECT FROM changes c WHERE c.project_id = ${projectId} AND c.id = o.change_id
    AND c.created_at > (${since}::timestamp AT TIME ZONE 'UTC') OFFSET 0)`;
  // A union: with a disjunction, no index finds the records of a resource. A project and its settings have no id of their own.
  const recordsOf = (resources: readonly ObjectDiff[], isOne: Sql) => sql`
    SELECT o.kind, s.id, o.change_id, o.ordinal, o.before, o.after, o.variables
    FROM unnest(${textArray(resources.map(({ mapping }) => mapping.kind))}::text[],
      ${arrayParameter(resources.map(({ id }) => id))}::bigint[]) AS s (kind, id)
    JOIN change_objects o ON o.project_id = ${projectId} AND o.kind = s.kind AND ${isOne} WHERE ${isLater}`;
  const ofProject = existing.filter(({ id }) => id === 0);
  const found = [
    recordsOf(
      existing.filter(({ id }) => id !== 0),
      sql`o.object_id = s.id`,
    ),
    ...(ofProject.length > 0 ? [recordsOf(ofProject, sql`o.object_id IS NULL`)] : []),
  ];
  const rows = await tx.rows<LaterRecord>(
    sql`SELECT o.kind, o.id, o.before::text AS before, o.after::text AS after, o.variables::text AS variables
      FROM (${join(found, ' UNION ALL ')}) AS o ORDER BY o.change_id, o.ordinal LIMIT ${MAX_RECORDS + 1}`,
    'custom',
  );
  if (rows.length > MAX_RECORDS)
    throw new InventoryError(
      'conflict',
      'Others have changed what the proposal writes too often since its revision was made. Make a new revision: rebase.',
    );
  const byResource = new Map<string, LaterRecord[]>();
  for (const row of rows) {
    const key = `${row.kind} ${String(row.id)}`;
    const known = byResource.get(key);
    if (known) known.push(row);
    else byResource.set(key, [row]);
  }
  return existing.flatMap((object) => {
    const { mapping, id } = object;
    const operation = operationOf.get(resourceKey(mapping, projectId, id)) ?? 0;
    return conflictsOf(object, byResource.get(`${mapping.kind} ${String(id)}`) ?? [], operation);
  });
}

/** The conflicts of a resource with later changes, oldest first. */
export function conflictsOf(
  object: ObjectDiff,
  records: readonly LaterRecord[],
  operation: number,
): Conflict[] {
  const { mapping, id, name, before, after } = object;
  const [first] = records;
  // Nobody has proposed to write it as it was before.
  if (!first || first.before === null) return [];
  const head = { operation, kind: mapping.kind, resourceId: id, name };
  const written = [
    ...memberChanges(sideOf(before), sideOf(after))
      .filter(({ key }) => !OF_EVERY_WRITE.includes(key))
      .map((change) => ({ change, prefix: '', formerly: () => formerMember(records, change.key) })),
    ...object.variables.map((change) => ({
      change,
      prefix: 'variables.',
      formerly: () => formerVariable(records, change.key),
    })),
  ];
  return written.flatMap(({ change, prefix, formerly }): Conflict[] => {
    const former = formerly();
    if (!former || former.value === change.before) return [];
    const field = `${prefix}${JSON.parse(change.key) as string}`;
    return [{ ...head, field, then: former.value, now: change.before, proposed: change.after }];
  });
}

const sideOf = (side: ObjectDiff['after']): DocumentMembers =>
  side ? membersOfRow(membersIn(side)) : new Map();

/** The value before the first change; undefined if no change altered it. */
type Former = { readonly value: string | undefined } | undefined;

function formerMember(records: readonly LaterRecord[], key: string): Former {
  for (const { before, after } of records) {
    const former = membersOf(before ?? '{}').get(key);
    if (former !== membersOf(after ?? '{}').get(key)) return { value: former };
  }
  return undefined;
}

function formerVariable(records: readonly LaterRecord[], key: string): Former {
  for (const { variables } of records) {
    const change = membersOf(variables).get(key);
    if (change !== undefined) return { value: membersOf(change).get('"before"') };
  }
  return undefined;
}

/** The conflicts that somebody may see. */
export const visibleConflicts = (conflicts: readonly Conflict[], visibility: Visibility): Conflict[] =>
  conflicts.filter(
    ({ field }) => !field.startsWith('variables.') || visibility.sees(field.slice('variables.'.length)),
  );
