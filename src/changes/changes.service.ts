import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../shared/context/request-context';
import { InventoryError } from '../shared/errors/inventory-error';
import { Database } from '../shared/persistence/database';
import { list, sql } from '../shared/persistence/sql';
import type { ResourceShape } from '../shared/resources/resource-shape';
import { ChangeSet } from './change-set';
import type { Snapshot, Touched } from './touched';
import { diffText, variableChanges, type VariableChange } from './variable-diff';

/** All that a change record says of one resource. */
interface RecordedObject {
  readonly touched: Touched;
  readonly after: Snapshot | undefined;
  readonly variables: readonly VariableChange[];
}

/** One resource's variables together take at most this many bytes. */
const MOST_VARIABLE_BYTES = 1024 * 1024;

/** Writes: each in one transaction, with its change record inside. */
@Injectable()
export class Changes {
  constructor(private readonly database: Database) {}

  /**
   * Runs `work` in one transaction and records what it touched; if anything fails, nothing has happened.
   * `work` may be run again when it loses against a simultaneous change.
   * @param note the reason in the request's body, which counts where the header gives none
   */
  async write<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const change = new ChangeSet(ctx, tx, note);
      const result = await work(change);
      await this.record(change);
      return result;
    });
  }

  private async record(change: ChangeSet): Promise<void> {
    const objects = await recordedObjects(change);
    const [first] = objects;
    if (!first) throw new Error('a change that touched nothing');
    const { projectId } = first.touched;
    if (objects.some(({ touched }) => touched.projectId !== projectId))
      throw new Error('a change that touches two projects');
    const { principal, requestId } = change.ctx;
    const of = <T>(read: (object: RecordedObject) => T) => objects.map(read);
    const set = correlations(objects, (variable) => variable.after !== undefined);
    const unset = correlations(objects, (variable) => variable.after === undefined);
    await change.tx.execute(sql`
      WITH change AS (
        INSERT INTO changes (project_id, created_at, actor_id, actor_username, request_id, reason)
        VALUES (${projectId}, clock_timestamp(), ${principal.userId || null}::bigint,
          ${principal.username}, ${requestId}, ${change.reason ?? null})
        RETURNING id
      ), objects AS (
        INSERT INTO change_objects
          (project_id, change_id, ordinal, kind, object_id, name, action, before, after, variables, keys)
        SELECT ${projectId}::uuid, change.id, o.ordinal, o.kind, o.object_id, o.name, o.action, o.before, o.after,
          o.variables, ARRAY(SELECT jsonb_object_keys(o.variables))
        FROM change, unnest(
          ${list(objects.map((_, ordinal) => ordinal))}::integer[],
          ${list(of((o) => o.touched.shape.kind))}::text[],
          ${list(of((o) => o.touched.id || null))}::bigint[],
          ${list(of((o) => (o.after ?? o.touched.before)?.name ?? ''))}::text[],
          ${list(of(actionOf))}::text[],
          ${list(of((o) => o.touched.before?.members ?? null))}::jsonb[],
          ${list(of((o) => o.after?.members ?? null))}::jsonb[],
          ${list(of((o) => diffText(o.variables)))}::jsonb[]
        ) AS o (ordinal, kind, object_id, name, action, before, after, variables)
      ), correlated AS (
        INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id)
        SELECT ${projectId}::uuid, c.kind, c.object_id, c.key, change.id
        FROM change, unnest(${list(set.kinds)}::text[], ${list(set.ids)}::bigint[], ${list(set.keys)}::text[])
          AS c (kind, object_id, key)
        ON CONFLICT (project_id, object_type, object_id, key) DO UPDATE SET change_id = excluded.change_id
      ), uncorrelated AS (
        DELETE FROM variable_correlations v
        USING unnest(${list(unset.kinds)}::text[], ${list(unset.ids)}::bigint[], ${list(unset.keys)}::text[])
          AS c (kind, object_id, key)
        WHERE v.project_id = ${projectId}::uuid
          AND v.object_type = c.kind AND v.object_id = c.object_id AND v.key = c.key
      )
      SELECT id FROM change`);
  }
}

/** Reads how everything touched looks by now, kind by kind. */
async function recordedObjects(change: ChangeSet): Promise<RecordedObject[]> {
  const objects: RecordedObject[] = [];
  for (const group of byShape(change.touched)) {
    const [first] = group;
    if (!first) continue;
    const alive = group.filter((touched) => !touched.deleted).map((touched) => touched.id);
    const after =
      alive.length > 0
        ? await change.snapshots(first.shape, first.projectId, alive)
        : new Map<number, Snapshot>();
    for (const touched of group) {
      const now = after.get(touched.id);
      requireSize(touched, now);
      objects.push({
        touched,
        after: now,
        variables: variableChanges(touched.before?.variables, now?.variables),
      });
    }
  }
  return objects;
}

function byShape(touched: readonly Touched[]): Iterable<Touched[]> {
  const groups = new Map<ResourceShape, Touched[]>();
  for (const one of touched) {
    const group = groups.get(one.shape);
    if (group) group.push(one);
    else groups.set(one.shape, [one]);
  }
  return groups.values();
}

function requireSize(touched: Touched, after: Snapshot | undefined): void {
  if (after?.variables === undefined || after.variables.length * 3 <= MOST_VARIABLE_BYTES) return;
  if (Buffer.byteLength(after.variables) <= MOST_VARIABLE_BYTES) return;
  throw InventoryError.invalid('variables', `of one ${touched.shape.kind} together take at most 1 MiB`);
}

function actionOf({ touched }: RecordedObject): 'create' | 'update' | 'delete' {
  if (touched.deleted) return 'delete';
  return touched.before ? 'update' : 'create';
}

function correlations(objects: readonly RecordedObject[], which: (variable: VariableChange) => boolean) {
  const rows = objects.flatMap(({ touched, variables }) =>
    variables.filter(which).map((variable) => ({ touched, key: JSON.parse(variable.key) as string })),
  );
  return {
    kinds: rows.map(({ touched }) => touched.shape.kind),
    ids: rows.map(({ touched }) => touched.id),
    keys: rows.map(({ key }) => key),
  };
}
