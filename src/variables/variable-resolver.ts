import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import { AppMetrics } from '../core/app-metrics';
import type { Queryable } from '../database/database';
import { ids, join, arrayParameter, raw, sql, type Sql } from '../database/sql';
import { type PointInTime, referencedAt, variablesAt } from '../changes/point-in-time';
import type { LabelTable } from '../database/resource-mapping';
import { LEVEL_KINDS, LEVEL_TABLES } from './key-levels';
import { LevelCache, rowVersionSql } from './level-cache';
import {
  type Inheritance,
  type Level,
  type LevelMembers,
  LevelSet,
  referencedLevels,
  type ResolutionTarget,
  type VersionedLevelId,
} from './levels';
import { visibleDocument } from '../core/json/visible-document';
import { inSameProject } from '../database/resource-sql';

/** Levels in their state at a point in time, as rows of `Level`. */
function pastLevels(wanted: readonly VersionedLevelId[], at: PointInTime): Sql {
  const object = sql`o.project_id = wanted.project_id AND o.kind = wanted.kind AND o.object_id = wanted.id`;
  return sql`
    SELECT t.kind, t.object_id AS id, t.name, ${variablesAt} AS variables
    FROM unnest(${arrayParameter(wanted.map((level) => level.projectId))}::uuid[],
      ${arrayParameter(wanted.map((level) => level.kind))}::text[], ${arrayParameter(wanted.map((level) => level.id))}::bigint[])
      AS wanted (project_id, kind, id)
    CROSS JOIN LATERAL (${referencedAt(at, object)}) t
    WHERE ${inSameProject(
      'wanted.project_id',
      wanted.map((level) => level.projectId),
    )}`;
}

/**
 * Resolves variables, as far as the caller may see them. It resolves a whole page with one query, and reads the
 * document of a region once, even if many hosts inherit it. Values are merged as JSON texts and never parsed (see
 * `LevelSet`), so no digit of a number is lost.
 */
@Injectable()
export class VariableResolver {
  constructor(
    private readonly cache: LevelCache,
    private readonly metrics: AppMetrics,
  ) {}

  /** @returns the resolved documents of targets, in order, as JSON texts; each is built when it is read */
  async resolve(
    ctx: RequestContext,
    targets: readonly ResolutionTarget[],
    on: Queryable,
    at?: PointInTime,
  ): Promise<Iterable<string>> {
    const levels = await this.readLevelSet(ctx, targets, on, at);
    return (function* () {
      for (const target of targets) yield levels.resolve(target);
    })();
  }

  /** @returns the own documents of targets, in order, as JSON texts */
  ownDocuments(ctx: RequestContext, targets: readonly ResolutionTarget[]): string[] {
    return targets.map((target) => visibleDocument(target.own_variables, ctx.visibility));
  }

  /**
   * Reads the levels that targets inherit from, now or at a point in time. At most one query.
   * @param areCommitted whether the levels are committed; uncommitted levels are not cached
   */
  async readLevelSet(
    ctx: RequestContext,
    targets: readonly ResolutionTarget[],
    on: Queryable,
    at?: PointInTime,
    areCommitted = readsOnlyCommitted(on),
  ): Promise<LevelSet> {
    this.metrics.resolved.inc(targets.length);
    const stopTimer = this.metrics.levelsRead.startTimer();
    try {
      if (at || !areCommitted) return new LevelSet(await this.readLevels(targets, on, at), ctx.visibility);
      const combine = (levels: readonly LevelMembers[]) => this.cache.merge(levels);
      return new LevelSet(await this.cache.readLevels(targets, on), ctx.visibility, combine);
    } finally {
      stopTimer();
    }
  }

  /** Reads the regions, cells and labels that targets inherit from, with their documents. */
  async readLevels(targets: readonly ResolutionTarget[], on: Queryable, at?: PointInTime): Promise<Level[]> {
    const wanted = referencedLevels(targets);
    if (wanted.length === 0) return [];
    if (at) return on.rows<Level & Record<string, unknown>>(pastLevels(wanted, at));
    const projects = new Set(wanted.map(({ projectId }) => projectId));
    const [project, ...others] = projects;
    const inProjects =
      project !== undefined && others.length === 0
        ? sql`t.project_id = ${project}`
        : sql`t.project_id = ANY(${arrayParameter([...projects])}::uuid[])`;
    const arms = LEVEL_KINDS.flatMap((kind) => {
      const { table, name } = LEVEL_TABLES[kind];
      const ofKind = wanted.filter((level) => level.kind === kind).map(({ id }) => id);
      if (ofKind.length === 0) return [];
      return sql`SELECT ${raw(`'${kind}' AS kind, t.id, t.${name} AS name, t.variables::text AS variables FROM ${table} t`)}
        WHERE ${inProjects} AND t.id = ANY(${ids(ofKind)}) AND ${kind === 'label' ? sql`t.variables <> '{}'` : sql`true`}`;
    });
    return on.rows<Level & Record<string, unknown>>(join(arms, ' UNION ALL '));
  }
}

/** Whether reads return only committed rows. A transaction also reads its own writes, which can be rolled back. */
const readsOnlyCommitted = (on: Queryable): boolean => 'snapshot' in on;

/** Options of `targetColumns`. */
interface TargetColumnOptions {
  /** Read the row versions of the levels: see `LevelCache`. For few targets, because each needs lookups. */
  readonly withRowVersions?: boolean | undefined;
  /** Return null for own variables that are large, unless those of all rows together take at most `MAX_PAGE_BYTES`. */
  readonly omitsLargeVariables?: boolean | undefined;
  /** Return `{}` for own variables. */
  readonly omitsVariables?: boolean | undefined;
  /** The labels are read by `joinedLabels`. */
  readonly labelsJoined?: boolean | undefined;
}

/**
 * A join for the labels of resources `t`, as a row `assigned` with their names and the ids that a `ResolutionTarget` needs.
 * Two subqueries would read the same rows twice, which is a quarter of the cost of a page.
 * @param withRowVersions see `TargetColumnOptions`
 */
export const joinedLabels = ({ table, owner }: LabelTable, withRowVersions: boolean): Sql =>
  raw(`CROSS JOIN LATERAL (SELECT string_agg(l.label, ',' ORDER BY l.label) AS names,
      string_agg(${withRowVersions ? versionedId : 'l.id::text'}, ',') AS ids
    FROM ${table} a JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.${owner} = t.id) AS assigned`);

/** The member `labels` of a resource whose labels are joined. */
export const JOINED_LABEL_NAMES = `COALESCE(assigned.names, '')`;

const versionedId = `l.id || ':' || ${rowVersionSql('l')}`;

/** In bytes. PostgreSQL compresses larger values, or stores them out of line. */
const MAX_INLINE_SIZE = 2_048;

/**
 * Estimates the size of the variables of `t` without reading them, in bytes. PostgreSQL compresses text to a third of its length
 * as a rule, and repetitive text to a hundredth at best.
 */
export const VARIABLES_SIZE = `pg_column_size(t.variables) * CASE WHEN pg_column_compression(t.variables) IS NULL THEN 1 ELSE 16 END`;

/** The variables of a chunk of a page take at most this many bytes: see `VARIABLES_SIZE`. */
export const MAX_CHUNK_BYTES = 2 * 1024 * 1024;

/** The variables of a page are read with its rows if they take at most this many bytes: another statement takes longer. */
const MAX_PAGE_BYTES = 2 * MAX_CHUNK_BYTES;

/** The columns of a `ResolutionTarget` over `t`. @param at the point in time that `t` was read for */
export function targetColumns(
  inheritance: Inheritance,
  at?: PointInTime,
  options: TargetColumnOptions = {},
): Sql {
  return at ? pastColumns(inheritance) : raw(presentColumns(inheritance, options));
}

function pastColumns({ region = 'NULL::bigint', cell = 'NULL::bigint', labels }: Inheritance): Sql {
  const labelList = labels ? sql`NULLIF(array_to_string(t.label_ids, ','), '')` : sql`NULL::text`;
  return sql`t.project_id, ${variablesAt} AS own_variables, ${raw(region)} AS region_level,
    ${raw(cell)} AS cell_level, ${labelList} AS label_levels`;
}

function presentColumns(
  inheritance: Inheritance,
  { withRowVersions, omitsLargeVariables, omitsVariables, labelsJoined }: TargetColumnOptions,
): string {
  const own = omitsLargeVariables
    ? `CASE WHEN sum(${VARIABLES_SIZE}) OVER () <= ${String(MAX_PAGE_BYTES)}
        OR pg_column_size(t.variables) <= ${String(MAX_INLINE_SIZE)} AND pg_column_compression(t.variables) IS NULL
        THEN t.variables::text END`
    : omitsVariables
      ? `'{}'`
      : 't.variables::text';
  const labels = labelsJoined ? 'assigned.ids' : undefined;
  const levels = withRowVersions
    ? versionedLevelColumns(inheritance, labels)
    : levelColumns(inheritance, labels);
  return `t.project_id, ${own} AS own_variables, ${levels}`;
}

const levelColumns = (inheritance: Inheritance, labels = labelIdList(inheritance)): string =>
  `${levelIdColumns(inheritance)}, ${labels} AS label_levels`;

/** The columns of a `ResolutionTarget` for its levels, with their row versions. */
export const versionedLevelColumns = (
  inheritance: Inheritance,
  labels = versionedLabelIdList(inheritance),
): string =>
  `${levelIdColumns(inheritance)}, ${rowVersionIn('regions', inheritance.region)} AS region_row_version,
    ${rowVersionIn('cells', inheritance.cell)} AS cell_row_version, ${labels} AS label_levels`;

const levelIdColumns = ({ region = 'NULL::bigint', cell = 'NULL::bigint' }: Inheritance): string =>
  `${region} AS region_level, ${cell} AS cell_level`;

const rowVersionIn = (table: string, id: string | undefined): string =>
  id === undefined
    ? 'NULL::text'
    : `(SELECT ${rowVersionSql('l')} FROM ${table} l WHERE l.project_id = t.project_id AND l.id = ${id})`;

const labelIdList = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(a.label_id::text, ',') FROM ${labels.table} a
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';

const versionedLabelIdList = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(${versionedId}, ',') FROM ${labels.table} a
        JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';
