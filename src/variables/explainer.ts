import { Injectable } from '@nestjs/common';
import {
  fromSnapshotAt,
  notFoundError,
  type PointInTime,
  readAsOf,
  referencedAt,
} from '../changes/point-in-time';
import { type RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { Database, type Queryable } from '../database/database';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { from, inScope, inSameProject } from '../database/resource-sql';
import { scopeOfRecords, scopeOfResource } from '../database/resource-scope';
import { timestampText, type ResourceMapping } from '../database/resource-mapping';
import {
  renderExplanation,
  findSettingLevels,
  type ExplainedTarget,
  type FindProvenance,
  type Provenance,
  type LevelValuesByKey,
} from './explanation';
import type { InheritingResource, LevelSet, ResolutionTarget } from './levels';
import { targetColumns, VariableResolver } from './variable-resolver';

/**
 * The change that had set a key of a level at a point in time. `variable_correlations` has only the present state. For
 * the past, it is the newest change record of the level, up to that time, that contains the key.
 * @param wanted a query for `project_id`, `kind`, `id` and `key`
 * @returns a query for the same columns and `change_id`
 */
function keyOriginsAt(at: PointInTime, wanted: Sql): Sql {
  const object = sql`o.project_id = level.project_id AND o.kind = level.kind AND o.object_id = level.id`;
  // All keys of a level are found by one scan, because its history can be long.
  return sql`
    SELECT level.project_id, level.kind, level.id, origin.key, origin.change_id
    FROM (SELECT project_id, kind, id, array_agg(key) AS keys FROM (${wanted}) wanted GROUP BY project_id, kind, id) level
    CROSS JOIN LATERAL (${referencedAt(at, object)}) state
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (touched.key) touched.key, o.change_id
      FROM change_objects o CROSS JOIN LATERAL unnest(o.keys) AS touched (key)
      WHERE ${object} AND o.change_id <= state.change_id AND touched.key = ANY(level.keys)
      ORDER BY touched.key, o.change_id DESC
    ) origin`;
}

/** A row of a resource whose variables are explained. */
export interface ExplainedRow extends ResolutionTarget {
  readonly explained_id: number;
  readonly explained_name: string;
}

/** The columns of an `ExplainedRow` over `t` that a `ResolutionTarget` does not have. */
export const explainedColumns = ({ fields, nameField }: ResourceMapping): Sql =>
  raw(`t.id AS explained_id, ${fields[nameField]?.sql ?? 't.id'}::text AS explained_name`);

interface ProvenanceRow extends Provenance {
  [column: string]: unknown;
  readonly project_id: string;
  readonly kind: string;
  readonly id: number;
  readonly key: string;
}

/** What a caller who cannot read change records sees of one. */
const HIDDEN_PROVENANCE = { set_by: null, reason: null, change_id: null };

/** Explains variables: which level each value comes from, and which values it overrides. */
@Injectable()
export class Explainer {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * Explains the variables of one resource, as JSON text.
   * @param keys the keys to explain; undefined: all keys. Keys that are not set are omitted
   * @param at the point in time; undefined: now
   * @throws InventoryError 400 for a time in the future, 404 if the resource did not exist or the caller cannot see it
   */
  async explainResource(
    ctx: RequestContext,
    { mapping, inheritance }: InheritingResource,
    id: number,
    keys: readonly string[] | undefined,
    at?: PointInTime,
  ): Promise<string> {
    const read = async (on: Queryable) => {
      const source = at
        ? fromSnapshotAt(mapping, await scopeOfRecords(ctx, mapping, id, on), [id], at)
        : sql`${from(mapping)} WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, id, on))} AND t.id = ${id}`;
      const [row] = await on.rows<ExplainedRow & Record<string, unknown>>(
        sql`SELECT ${targetColumns(inheritance, at)}, ${explainedColumns(mapping)} ${source}`,
      );
      if (!row) throw await notFoundError(ctx, mapping, id, { at, on });
      const levels = await this.resolver.readLevelSet(ctx, [row], on, at);
      const [explanation = '{}'] = await this.explainRows(ctx, mapping, [row], levels, keys, on, at);
      return explanation;
    };
    // Values and their provenance are read by separate queries. A snapshot keeps them consistent.
    const reader = this.database.reader(ctx);
    return at ? readAsOf(reader, at, read) : reader.snapshot(read);
  }

  /** Explains the variables of rows, with one query. @returns one JSON text for each row, in order */
  async explainRows(
    ctx: RequestContext,
    { kind }: ResourceMapping,
    rows: readonly ExplainedRow[],
    levels: LevelSet,
    keys: readonly string[] | undefined,
    on: Queryable,
    at?: PointInTime,
  ): Promise<string[]> {
    const explained = rows.map((row): [ExplainedTarget, LevelValuesByKey] => {
      const target: ExplainedTarget = { target: row, kind, id: row.explained_id, name: row.explained_name };
      return [target, findSettingLevels(target, levels, keys)];
    });
    const provenanceIn = await this.readProvenance(ctx, explained, on, at);
    return explained.map(([target, levelsByKey]) =>
      renderExplanation(levelsByKey, provenanceIn(target.target.project_id)),
    );
  }

  /** Reads the provenance of each level and key once, even if several resources inherit it. */
  private async readProvenance(
    ctx: RequestContext,
    explained: readonly [ExplainedTarget, LevelValuesByKey][],
    on: Queryable,
    at: PointInTime | undefined,
  ): Promise<(projectId: string) => FindProvenance> {
    const wanted = new Map<string, LevelKey>();
    for (const [target, levelsByKey] of explained)
      for (const [key, levels] of levelsByKey)
        for (const { kind, id } of levels) {
          const projectId = target.target.project_id;
          wanted.set(levelKeyId(projectId, kind, id, key), { projectId, kind, id, key });
        }
    const levelKeys = [...wanted.values()];
    const rows =
      levelKeys.length === 0
        ? []
        : await on.rows<ProvenanceRow>(sql`
            SELECT v.project_id, v.kind, v.id, v.key, c.id AS change_id,
              c.actor_username AS set_by, ${raw(timestampText('c.created_at'))} AS set_at, c.reason
            FROM (${keyOrigins(levelKeys, at)}) v
            JOIN changes c ON c.project_id = v.project_id AND c.id = v.change_id
            WHERE ${inSameProject(
              'c.project_id',
              levelKeys.map(({ projectId }) => projectId),
            )}`);
    const found = new Map<string, Provenance>(
      rows.map((row) => [
        levelKeyId(row.project_id, row.kind, row.id, JSON.stringify(row.key)),
        { ...row, set_at: shownTime(ctx, row.set_at) },
      ]),
    );
    return (projectId) => (key, level) => {
      const provenance = found.get(levelKeyId(projectId, level.kind, level.id, key));
      if (provenance) return ctx.isRestricted ? { ...provenance, ...HIDDEN_PROVENANCE } : provenance;
      throw new Error(
        `there is no change record for the key ${key} of the ${level.kind} ${String(level.id)}`,
      );
    };
  }
}

/** A key of a level. */
interface LevelKey {
  readonly projectId: string;
  readonly kind: string;
  readonly id: number;
  /** A JSON string. */
  readonly key: string;
}

/** The changes that set the keys of levels, as a query for `project_id`, `kind`, `id`, `key` and `change_id`. */
function keyOrigins(levelKeys: readonly LevelKey[], at: PointInTime | undefined): Sql {
  const wanted = sql`SELECT * FROM unnest(${arrayParameter(levelKeys.map(({ projectId }) => projectId))}::uuid[],
    ${arrayParameter(levelKeys.map(({ kind }) => kind))}::text[], ${arrayParameter(levelKeys.map(({ id }) => id))}::bigint[],
    ${arrayParameter(levelKeys.map(({ key }) => JSON.parse(key) as string))}::text[]) AS wanted (project_id, kind, id, key)`;
  if (at) return keyOriginsAt(at, wanted);
  return sql`SELECT wanted.*, v.change_id FROM (${wanted}) wanted
    JOIN variable_correlations v ON v.project_id = wanted.project_id AND v.object_type = wanted.kind
      AND v.object_id = wanted.id AND v.key = wanted.key`;
}

const levelKeyId = (projectId: string, kind: string, id: number, key: string): string =>
  `${projectId} ${kind} ${String(id)} ${key}`;
