import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { membersOf } from '../core/json/json-text';
import { AppMetrics } from '../core/app-metrics';
import type { Queryable } from '../database/database';
import { join, opaqueArray, raw, sql, type Sql } from '../database/sql';
import {
  mergeLevels,
  referencedLevels,
  type InheritedVariables,
  type LevelMembers,
  type VersionedLevelId,
  type ResolutionTarget,
} from './levels';
import { LEVEL_KINDS, LEVEL_TABLES, type LevelKind } from './key-levels';
import { inSameProject } from '../database/resource-sql';

/** A level with the row version that it had when it was read. */
interface CachedLevel {
  readonly rowVersion: string;
  readonly level: LevelMembers;
  /** In characters. */
  readonly size: number;
}

/** The merged variables of a combination of levels. Valid only for these levels. */
interface CachedCombination {
  readonly levels: readonly LevelMembers[];
  readonly inherited: InheritedVariables;
}

interface LevelRow {
  [column: string]: unknown;
  readonly kind: LevelKind;
  readonly project_id: string;
  readonly id: number;
  readonly name: string;
  readonly row_version: string;
  /** Null if the row version equals the cached one. */
  readonly variables: string | null;
}

/** The maximum sizes of the caches, in characters of documents. */
const MAX_LEVELS_SIZE = 8 * 1024 * 1024;
const MAX_COMBINATIONS_SIZE = 16 * 1024 * 1024;

/** The size of an entry in addition to its text. */
const ENTRY_OVERHEAD = 200;

/** Metric labels. */
const CACHED = { result: 'hit' };
const READ = { result: 'miss' };

/**
 * SQL for the row version of a level. Rows with the same row version have the same name and the same variables. The row version
 * contains the version, and also the time: after a restore of the database, versions are used a second time.
 */
export const rowVersionSql = (row: string): string =>
  `(${row}.version || ' ' || date_part('epoch', COALESCE(${row}.updated_at, ${row}.created_at)))`;

/**
 * Caches the parsed documents of levels across requests. Each request validates them by their row versions, and the
 * database returns only documents with another row version, so changes are visible at once. Only committed levels are cached,
 * because uncommitted levels have row versions, too, and can be rolled back.
 */
@Injectable()
export class LevelCache {
  private readonly levels = new LRUCache<string, CachedLevel>({
    maxSize: MAX_LEVELS_SIZE,
    sizeCalculation: ({ size }) => size + ENTRY_OVERHEAD,
  });
  private readonly combinations = new LRUCache<string, CachedCombination>({
    maxSize: MAX_COMBINATIONS_SIZE,
    sizeCalculation: ({ inherited }) => inherited.text.length + ENTRY_OVERHEAD,
  });

  constructor(private readonly metrics: AppMetrics) {}

  /** The levels that targets inherit from. One query; none if the targets have row versions and all of these are cached. */
  async readLevels(targets: readonly ResolutionTarget[], on: Queryable): Promise<LevelMembers[]> {
    const levels: LevelMembers[] = [];
    const unvalidated: (VersionedLevelId & { readonly cached: CachedLevel | undefined })[] = [];
    for (const reference of referencedLevels(targets)) {
      const cached = this.levels.get(cacheKey(reference));
      if (cached && cached.rowVersion === reference.rowVersion) levels.push(cached.level);
      else unvalidated.push({ ...reference, cached });
    }
    if (levels.length > 0) this.metrics.levels.inc(CACHED, levels.length);
    if (unvalidated.length === 0) return levels;
    // Holds the entries during the query, because the cache can evict them.
    const held = new Map(unvalidated.map((reference) => [cacheKey(reference), reference.cached]));
    const withRowVersions = unvalidated.map(({ cached, ...reference }) => ({
      ...reference,
      rowVersion: cached?.rowVersion,
    }));
    for (const row of await on.rows<LevelRow>(levelsStatement(withRowVersions))) {
      const key = cacheKey({ projectId: row.project_id, kind: row.kind, id: row.id });
      this.metrics.levels.inc(row.variables === null ? CACHED : READ);
      levels.push(row.variables === null ? requireLevel(held.get(key)) : this.store(key, row, row.variables));
    }
    return levels;
  }

  /** The merged variables of levels, broadest first. */
  merge(levels: readonly LevelMembers[]): InheritedVariables {
    const key = levels.map(({ kind, id }) => `${kind} ${String(id)}`).join();
    const cached = this.combinations.get(key);
    if (cached && cached.levels.every((level, i) => level === levels[i])) return cached.inherited;
    const inherited = mergeLevels(levels);
    this.combinations.set(key, { levels, inherited });
    return inherited;
  }

  private store(
    key: string,
    { kind, id, name, row_version: rowVersion }: LevelRow,
    variables: string,
  ): LevelMembers {
    const cached = this.levels.get(key);
    // A concurrent request has stored it.
    if (cached?.rowVersion === rowVersion) return cached.level;
    const level = { kind, id, name, members: membersOf(variables) };
    this.levels.set(key, { rowVersion, level, size: variables.length });
    return level;
  }
}

function requireLevel(cached: CachedLevel | undefined): LevelMembers {
  if (cached) return cached.level;
  throw new Error('the query returned no document for a level that is not cached');
}

const cacheKey = ({ projectId, kind, id }: VersionedLevelId): string => `${projectId} ${kind} ${String(id)}`;

/** Levels by id, with the documents of those whose row version is not the cached one. */
function levelsStatement(references: readonly VersionedLevelId[]): Sql {
  // Of all queries: if one named a project that the others do not share, these would be restricted to it, too.
  const inOneProject = inSameProject(
    't.project_id',
    references.map(({ projectId }) => projectId),
  );
  const queries = LEVEL_KINDS.flatMap((kind) => {
    const ofKind = references.filter((reference) => reference.kind === kind);
    return ofKind.length === 0 ? [] : [levelQuery(kind, ofKind, inOneProject)];
  });
  return join(queries, ' UNION ALL ');
}

function levelQuery(kind: LevelKind, references: readonly VersionedLevelId[], inOneProject: Sql): Sql {
  const { table, name } = LEVEL_TABLES[kind];
  const rowVersion = raw(rowVersionSql('t'));
  const projects = opaqueArray(
    references.map(({ projectId }) => projectId),
    'uuid',
  );
  const ids = opaqueArray(
    references.map(({ id }) => id),
    'bigint',
  );
  const rowVersions = opaqueArray(
    references.map(({ rowVersion: cached }) => cached ?? null),
    'text',
  );
  return sql`SELECT ${raw(`'${kind}'`)} AS kind, t.project_id, t.id, t.${raw(name)} AS name,
      ${rowVersion} AS row_version, CASE WHEN wanted.row_version IS DISTINCT FROM ${rowVersion} THEN t.variables::text END AS variables
    FROM unnest(${projects}, ${ids}, ${rowVersions}) AS wanted (project_id, id, row_version)
    JOIN ${raw(table)} t ON t.project_id = wanted.project_id AND t.id = wanted.id
    WHERE ${inOneProject}`;
}
