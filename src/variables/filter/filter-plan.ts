import type { Branch, Way } from '../../list/list-request';
import { and, list, raw, sql, type Sql } from '../../database/sql';
import type { Inheritance } from '../inheritance';
import type { ProjectScope } from '../../core/context/request-context';
import type { DefiningLevel, FilterLevels } from './filter-levels';
import type { FilterStart } from '../../core/app-metrics';
import { isIndexable, type VariableFilter } from './filter-parser';

/** How a list is read so that only what can match is looked at. */
export interface FilterPlan {
  readonly branches: readonly Branch[];
  /** The same as one condition, to be asked of a row at a time; absent if nothing can match. */
  readonly match?: Sql;
  readonly conditions: readonly Sql[];
  /** The same for every filter: what leads is only a guess. */
  readonly ways?: readonly Way[];
  /** What the leading filter begins from; absent if nothing can match. */
  readonly beginsFrom?: Exclude<FilterStart, 'nothing'>;
}

/** What is listed. */
export interface Filtered {
  readonly inheritance: Inheritance;
  /** The kind of the listed resources; undefined: of several. */
  readonly kind: string | undefined;
  readonly scope: ProjectScope;
  /** Whether the index of documents can be asked for a block of ids at a time. */
  readonly inBlocks: boolean;
}

/**
 * Turns resolved filters round. Instead of resolving every device, it starts from the few levels whose value matches:
 * what matches by its own document, through a label, through its cell, or through its region are disjoint branches,
 * each read through an index of its own. One filter leads in that way; the others are checked on what it finds.
 */
export function planFilters(filters: readonly FilterLevels[], of: Filtered): FilterPlan {
  const inOrder = [...filters].sort((a, b) => breadth(a) - breadth(b));
  const ways = inOrder.map((filter) => ({
    branches: branchesOf(filter, of.inheritance, ownBranches(filter, of)),
    match: resolvedMatch(filter, of.inheritance),
  }));
  const [leader, ...others] = ways;
  const [leading] = inOrder;
  if (!leader || !leading || filters.some(matchesNowhere)) return { branches: [], conditions: [] };
  return { ...leader, conditions: others.map(({ match }) => match), ways, beginsFrom: startOf(leading) };
}

const matching = (levels: readonly DefiningLevel[]) => levels.filter((level) => level.matches);
const ids = (levels: readonly DefiningLevel[]) => sql`${list(levels.map((level) => level.id))}::bigint[]`;

/** A rough measure of how much a filter lets through: a region holds more devices than a cell, a cell than a label. */
const breadth = ({ regions, cells, labels }: FilterLevels): number =>
  matching(regions).length * 10_000 + matching(cells).length * 100 + matching(labels).length;

const matchesNowhere = (filter: FilterLevels): boolean => filter.own.length === 0 && !isInherited(filter);

/** Whether the value that is sought can be inherited. */
const isInherited = ({ regions, cells, labels }: Pick<KeyLevels, 'regions' | 'cells' | 'labels'>): boolean =>
  [...regions, ...cells, ...labels].some((level) => level.matches);

function startOf(filter: FilterLevels): Exclude<FilterStart, 'nothing'> {
  if (filter.own.length === 0) return 'inherited';
  return isInherited(filter) ? 'own and inherited' : 'own';
}

/** What matches by its own document: through the index of documents, if that can answer the path. */
function ownBranches({ filter, path, own }: FilterLevels, { kind, scope, inBlocks }: Filtered): Branch[] {
  if (own.length === 0) return [];
  const inProjects =
    scope === 'every project' ? { drivers: sql`unnest(${list(own)}::uuid[]) AS s (project_id)` } : {};
  const where = ownMatch(filter, path);
  if (isIndexable(filter)) return [{ ...inProjects, where, unordered: inBlocks ? 'in blocks' : 'whole' }];
  if (kind === undefined) return [{ ...inProjects, where }];
  return [
    {
      ...inProjects,
      where,
      join: sql`JOIN variable_correlations v ON v.project_id = t.project_id AND v.object_id = t.id
        AND v.object_type = ${kind} AND v.key = ${filter.key}`,
      sameAsId: sql`v.object_id`,
    },
  ];
}

/**
 * Whether a document itself matches. Where the index cannot answer the path, the function says the same as the
 * operator, but does not tempt the planner to read the whole index, of every project.
 */
const ownMatch = (filter: VariableFilter, path: string): Sql =>
  isIndexable(filter)
    ? sql`t.variables @? ${path}::jsonpath`
    : sql`jsonb_path_exists(t.variables, ${path}::jsonpath, '{}', true)`;

function branchesOf(
  filter: FilterLevels,
  inheritance: Inheritance,
  ownBranches: readonly Branch[],
): Branch[] {
  const { own, regions, cells, labels } = filter;
  const noOwn = own.length > 0 ? sql`NOT t.variables ? ${filter.filter.key}` : sql`true`;
  const noLabel = labels.length > 0 ? sql`NOT ${hasLabel(inheritance, labels)}` : sql`true`;
  const noCell = cells.length > 0 ? sql`(t.cell_id IS NULL OR t.cell_id <> ALL(${ids(cells)}))` : sql`true`;
  const branches = [...ownBranches];
  if (matching(labels).length > 0) branches.push(labelBranch(labels, inheritance, noOwn));
  if (matching(cells).length > 0)
    branches.push({ drivers: drivers(cells), where: and([sql`t.cell_id = s.id`, noOwn, noLabel]) });
  if (matching(regions).length > 0)
    branches.push({
      drivers: drivers(regions),
      where: and([sql`t.region_id = s.id`, noOwn, noLabel, noCell]),
    });
  return branches;
}

/** The levels that match, as rows that lead to what is below them. */
function drivers(levels: readonly DefiningLevel[]): Sql {
  const found = matching(levels);
  return sql`unnest(${list(found.map((level) => level.project_id))}::uuid[], ${ids(found)}) AS s (project_id, id)`;
}

/** Of what carries several labels that set the key, the last in the order of names decides: the place in `labels`. */
function labelBranch(labels: readonly DefiningLevel[], inheritance: Inheritance, noOwn: Sql): Branch {
  const found = labels.map((level, place) => ({ level, place })).filter(({ level }) => level.matches);
  const { table, owner } = assignments(inheritance);
  return {
    drivers: sql`unnest(${list(found.map(({ level }) => level.project_id))}::uuid[],
      ${list(found.map(({ level }) => level.id))}::bigint[], ${list(found.map(({ place }) => place + 1))}::bigint[])
      AS s (project_id, id, place)`,
    join: sql`JOIN ${table} a ON a.project_id = t.project_id AND a.${owner} = t.id`,
    where: sql`a.label_id = s.id AND a.project_id = s.project_id AND ${noOwn}
      AND NOT EXISTS (SELECT FROM ${labelsOf(inheritance)} b JOIN unnest(${ids(labels)}) WITH ORDINALITY AS l (id, place)
        ON l.id = b.label_id WHERE l.place > s.place OFFSET 0)`,
    sameAsId: sql`a.${owner}`,
  };
}

function assignments({ labels }: Inheritance): { table: Sql; owner: Sql } {
  if (!labels) throw new Error('a resource without label levels was filtered by labels');
  return { table: raw(labels.table), owner: raw(labels.owner) };
}

/**
 * The labels of `t`. OFFSET 0: looked up row by row, by the row. As a join, the planner may read every assignment of the
 * project to hash it; and where it knows the labels that are sought, look for each of them.
 */
function labelsOf(inheritance: Inheritance): Sql {
  const { table, owner } = assignments(inheritance);
  return sql`(SELECT b.label_id FROM ${table} b WHERE b.project_id = t.project_id AND b.${owner} = t.id OFFSET 0)`;
}

const hasLabel = (inheritance: Inheritance, labels: readonly DefiningLevel[]): Sql =>
  sql`EXISTS (SELECT FROM ${labelsOf(inheritance)} b WHERE b.label_id = ANY(${ids(labels)}) OFFSET 0)`;

/** Whether a row `t` matches, as a condition. */
export const matchOf = (filter: FilterLevels, inheritance: Inheritance): Sql =>
  matchesNowhere(filter) ? sql`false` : resolvedMatch(filter, inheritance);

/** Whether the resolved value of one row matches: asked of rows that were found in another way. */
const resolvedMatch = (filter: FilterLevels, inheritance: Inheritance): Sql =>
  matchByLevels(
    { ...filter, key: filter.filter.key, own: filter.own.length > 0 },
    ownMatch(filter.filter, filter.path),
    inheritance,
  );

/** The levels that set a key, whatever was asked of their values. */
export interface KeyLevels extends Pick<FilterLevels, 'regions' | 'cells' | 'labels'> {
  readonly key: string;
  /** Whether any of the rows may set it themselves. */
  readonly own: boolean;
}

/**
 * Whether the resolved value of a row `t` matches, by the narrowest level that sets the key.
 * @param byItself whether the row sets the key itself, to a value that matches
 */
export function matchByLevels(levels: KeyLevels, byItself: Sql, inheritance: Inheritance): Sql {
  const { key, own, labels } = levels;
  // Said by itself, so that an index can serve it.
  if (!isInherited(levels)) return byItself;
  const cell = byPlace(levels, inheritance);
  const inherited =
    labels.length === 0 ? cell : sql`COALESCE(${lastLabelMatches(labels, inheritance)}, ${cell})`;
  if (!own) return sql`(${inherited})`;
  return sql`CASE WHEN t.variables ? ${key} THEN ${byItself} ELSE ${inherited} END`;
}

/** Whether a row `t` without labels that set the key matches: by its cell, else by its region. Never null. */
function byPlace({ regions, cells }: KeyLevels, inheritance: Inheritance): Sql {
  const inCells = sql`t.cell_id IS NOT NULL AND t.cell_id = ANY(${ids(matching(cells))})`;
  // Said plainly, so that an index can serve it.
  if (inheritance.region === undefined || matching(regions).length === 0)
    return matching(cells).length === 0 ? sql`false` : sql`(${inCells})`;
  const region = sql`t.region_id = ANY(${ids(matching(regions))})`;
  if (cells.length === 0) return region;
  return sql`CASE WHEN t.cell_id = ANY(${ids(cells)}) THEN t.cell_id = ANY(${ids(matching(cells))}) ELSE ${region} END`;
}

/** Whether the last label that sets the key matches; NULL if no label of the row sets it. */
function lastLabelMatches(labels: readonly DefiningLevel[], inheritance: Inheritance): Sql {
  const matches = sql`${list(labels.map((level) => (level.matches ? 1 : 0)))}::integer[]`;
  return sql`(SELECT l.matches = 1 FROM ${labelsOf(inheritance)} b
    JOIN unnest(${ids(labels)}, ${matches}) WITH ORDINALITY AS l (id, matches, place) ON l.id = b.label_id
    ORDER BY l.place DESC LIMIT 1)`;
}
