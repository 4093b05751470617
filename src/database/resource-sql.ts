import { and, join, raw, sql, type Sql, arrayParameter } from './sql';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import type { Field, ResourceMapping, TableMapping } from './resource-mapping';
import type { KeyPatterns, Visibility } from '../core/context/variable-keys';

/** The part of a mapping that is needed to show a resource. */
type ShownMapping = Pick<ResourceMapping, 'kind' | 'fields'>;

/**
 * SQL that renders members of `t` as one JSON text. The database renders the JSON, which is not parsed in JavaScript,
 * so numbers keep all digits.
 * @param ctx the caller; undefined for change records, which contain all values
 */
export function jsonOf(mapping: ShownMapping, members: readonly string[], ctx?: RequestContext): Sql {
  if (members.length === 0) return sql`'{}'`;
  return sql`(SELECT row_to_json(members)::text FROM ${rowOf(mapping, members, ctx)} members)`;
}

/**
 * The members of `t` that change records contain, as `jsonb`.
 * @param known expressions of members whose values need not be looked up
 */
export const recordedMembers = (mapping: ResourceMapping, known: Readonly<Record<string, Sql>> = {}): Sql =>
  sql`(SELECT to_jsonb(members) FROM ${rowOf(mapping, ownMembers(mapping), undefined, known)} members)`;

function rowOf(
  mapping: ShownMapping,
  members: readonly string[],
  ctx?: RequestContext,
  known: Readonly<Record<string, Sql>> = {},
): Sql {
  const columns = members.map((member) => {
    const field = fieldOf(mapping, member);
    const value = known[member] ?? raw(field.sql);
    return sql`${ctx ? shownValue(ctx, field, value) : value} AS ${raw(`"${member}"`)}`;
  });
  return sql`(SELECT ${join(columns)})`;
}

/** The value of a member, current or recorded, as the caller sees it. */
export function shownValue(ctx: RequestContext, { redact, isTime }: Field, value: Sql): Sql {
  if (redact) return redact(ctx, value);
  // A recorded time is `jsonb`, a current one is text.
  return isTime && ctx.timesHaveZone === true ? sql`(to_jsonb(${value}) #>> '{}') || 'Z'` : value;
}

/** Adds the zone to times among the members of a resource in a change record, a `jsonb`, if the response shows it. */
export function withShownTimes(
  { fields }: Pick<ResourceMapping, 'fields'>,
  { timesHaveZone = false }: RequestContext,
  members: Sql,
): Sql {
  if (!timesHaveZone) return members;
  const times = Object.entries(fields).flatMap(([member, { isTime }]) => (isTime ? [member] : []));
  return times.reduce(
    (shown, member) =>
      sql`jsonb_set(${shown}, ARRAY[${member}], COALESCE(to_jsonb((${members} ->> ${member}) || 'Z'), 'null'), false)`,
    members,
  );
}

/** Removes from the members of a resource in a change record, a `jsonb`, what a caller may not see. */
export function visibleMembersOf(mapping: ShownMapping, ctx: RequestContext, members: Sql): Sql {
  return redactedMembers(mapping).reduce(
    (redacted, [member, redact]) =>
      sql`jsonb_set(${redacted}, ARRAY[${member}], ${redact(ctx, sql`${members} -> ${member}`)}, false)`,
    members,
  );
}

/** Whether any member depends on what the caller may see. */
export const hasHiddenMembers = (mapping: ShownMapping): boolean => redactedMembers(mapping).length > 0;

const redactedMembers = ({ fields }: ShownMapping) =>
  Object.entries(fields).flatMap(([member, { redact }]) => (redact ? [[member, redact] as const] : []));

/** The members that change records contain. */
export function ownMembers(mapping: ResourceMapping): string[] {
  return Object.entries(mapping.fields)
    .filter(([, field]) => field.derived !== true)
    .map(([member]) => member);
}

function fieldOf(mapping: ShownMapping, member: string) {
  const field = mapping.fields[member];
  if (!field) throw new Error(`${mapping.kind} has no member ${member}`);
  return field;
}

/** A condition for the rows of this kind. */
export const ofKind = (mapping: TableMapping): Sql =>
  mapping.kindCondition === undefined ? sql`true` : raw(mapping.kindCondition);

/** A query for the column `project_id`: all projects of which a table can have rows. */
export const projectsOf = ({ projects = 'SELECT id AS project_id FROM projects' }: TableMapping): Sql =>
  raw(projects);

/**
 * Names the project of referenced rows if all of them are in one, so that the statement can be sent to its node: see
 * `routeToProject`.
 * @param column the project of a row
 */
export function inSameProject(column: string, projectIds: readonly string[]): Sql {
  const [project, ...others] = new Set(projectIds);
  return project !== undefined && others.length === 0 ? sql`${raw(column)} = ${project}::uuid` : sql`true`;
}

/**
 * Joins the rows `t` of a table, which are looked up one by one. OFFSET 0 keeps the planner from choosing another order:
 * for a project that is newer than the statistics, it expects one row, and would read all rows again for each row.
 * @param project a column with the project. With the project itself as a parameter, the planner would expect one row
 *   from any index that begins with the project, and could use one without the id
 * @param condition over `t`, without its project
 */
export const lookUp = (mapping: TableMapping, project: Sql, id: Sql, condition = sql`true`): Sql =>
  sql`CROSS JOIN LATERAL (SELECT t.* ${from(mapping)} WHERE t.project_id = ${project} AND t.id = ${id}
    AND ${ofKind(mapping)} AND ${condition} OFFSET 0) t`;

/** The projects in scope, as rows `s (project_id)`. For each, indexes that begin with the project can be used. */
export const projectRows = (mapping: TableMapping, scope: ProjectScope): Sql =>
  scope === 'every project'
    ? sql`(${projectsOf(mapping)}) AS s`
    : sql`(SELECT ${scope.project}::uuid AS project_id) AS s`;

/** A condition for the rows of this kind in the projects in scope. */
export function inScope(mapping: TableMapping, scope: ProjectScope): Sql {
  const only = ofKind(mapping);
  // All projects are listed explicitly, because all indexes begin with the project.
  return scope === 'every project'
    ? sql`t.project_id IN (${projectsOf(mapping)}) AND ${only}`
    : sql`t.project_id = ${scope.project} AND ${only}`;
}

/**
 * Whether the caller may see all keys of variables in a resource, and so the resource itself.
 * @param row its row as `jsonb`: constant SQL
 */
export function hasVisibleKeys(
  { referencedVariableKeys }: ResourceMapping,
  { visibility }: RequestContext,
  row = 'to_jsonb(t)',
): Sql {
  if (!referencedVariableKeys || visibility.seesEverything) return sql`true`;
  return sql`NOT EXISTS (SELECT FROM unnest(${raw(referencedVariableKeys(row))}) AS named (key)
    WHERE NOT ${isVisible(visibility, sql`named.key`)})`;
}

/**
 * Conditions over the row `t` for resources that the caller may see. Empty if all callers see all resources.
 * @param row its row as `jsonb`: constant SQL
 */
export function readConditions(mapping: ResourceMapping, ctx: RequestContext, row?: string): Sql[] {
  const conditions: Sql[] = [];
  if (mapping.referencedVariableKeys) conditions.push(hasVisibleKeys(mapping, ctx, row));
  if (mapping.readableBy) conditions.push(mapping.readableBy(ctx));
  return conditions;
}

/**
 * Whether the caller may see the row `t` of a resource in the projects in scope.
 * @param row its row as `jsonb`: constant SQL
 */
export const isReadable = (mapping: ResourceMapping, ctx: RequestContext, row?: string): Sql =>
  and(readConditions(mapping, ctx, row));

/**
 * Whether two values differ: whether a write changed something. Values are compared as PostgreSQL's texts, because numbers
 * keep every digit: `1.10` differs from `1.1`, which `jsonb` itself treats as equal. Filters use the equality of `jsonb`.
 */
export const isChanged = (before: Sql, after: Sql): Sql =>
  sql`((${before})::text IS DISTINCT FROM (${after})::text)`;

export const from = (mapping: TableMapping): Sql => sql`FROM ${raw(mapping.table)} t`;

/** The value hash of arrays and objects. A scalar that happens to have it is treated like these. */
export const NO_VALUE_HASH = raw('0');

/**
 * The hash of a variable in `variable_correlations`: of its key and value. Equal scalars have the same hash, `1` and `1.0`
 * too; arrays and objects have `NO_VALUE_HASH`.
 * @param scalar `jsonb`, null for arrays and objects
 */
export const valueHash = (key: Sql, scalar: Sql): Sql =>
  sql`COALESCE(jsonb_hash_extended(${scalar}, hashtextextended(${key}, 0)), ${NO_VALUE_HASH})`;

/**
 * Whether an array or object in the variables of a row `t` contains a scalar, at any depth. The expression is the one of the
 * index `devices_by_nested_value`.
 * @param scalar JSON text
 */
export const hasNestedValue = (scalar: string): Sql =>
  sql`jsonb_path_query_array(t.variables, ${raw(`'${NESTED_VALUES}'`)}, '{}', true) @> ${scalar}::jsonb`;

/** The scalars in arrays and objects of a document, as a jsonpath. */
const NESTED_VALUES = 'strict $.*.**{1 to last} ? (@.type() != "object" && @.type() != "array")';

/**
 * Excludes documents `t` in which nothing matches, before their visible variables are read one by one. The document
 * contains the hidden variables, too: for a caller who may not see them, nothing is excluded, because the time would tell
 * whether one of them matches.
 */
export const mayHaveMatch = (visibility: Visibility, path: string): Sql =>
  visibility.seesEverything ? sql`t.variables @? ${path}::jsonpath` : sql`true`;

/**
 * Whether a text contains another one, in upper or lower case of any script. An index by trigrams can find it; where none is searched,
 * or the folds are at hand, use `containsFolded`: its text is no pattern that the planner plans each execution for.
 */
export const containsIgnoringCase = (text: Sql, part: string): Sql =>
  isLikeIgnoringCase(text, `%${part.replace(/[\\%_]/g, '\\$&')}%`);

/**
 * Whether a text is like a pattern of `LIKE`, in upper or lower case of any script. An index of `fold_case(…)` by trigrams finds
 * such texts. The wildcards are the same in both cases.
 */
export const isLikeIgnoringCase = (text: Sql, pattern: string): Sql =>
  sql`fold_case(${text}) LIKE fold_case(${pattern}::text)`;

/** Whether a text contains another one: of both, the folds. */
export const containsFolded = (folded: Sql, part: Sql): Sql => sql`strpos(${folded}, ${part}) > 0`;

/** The fold of a parameter, which a query computes only once. */
export const foldOnce = (text: string | null): Sql => sql`(SELECT fold_case(${text}::text))`;

/** Whether a key, given by a text expression, is visible: `Visibility.sees` in SQL. */
export function isVisible(visibility: Visibility, key: Sql): Sql {
  if (visibility.seesEverything) return sql`true`;
  return sql`(NOT ${covers(visibility.hidden, key)} OR ${covers(visibility.granted, key)})`;
}

/**
 * Whether a key, or a prefix followed by `*`, given by a text expression, is visible: that is, whether the caller may
 * see all hidden keys that it covers.
 */
export function isVisiblePattern(visibility: Visibility, pattern: Sql): Sql {
  if (visibility.seesEverything) return sql`true`;
  const { hidden, granted } = visibility;
  const prefix = sql`left(${pattern}, -1)`;
  const hiddenKeys = hidden.exact.filter((key) => !granted.covers(key));
  // Two prefixes have common keys if one begins with the other. The longer one is the prefix of the common keys.
  const common = sql`CASE WHEN starts_with(h.prefix, ${prefix}) THEN h.prefix
    WHEN starts_with(${prefix}, h.prefix) THEN ${prefix} END`;
  return sql`CASE WHEN ${pattern} NOT LIKE '%*' THEN ${isVisible(visibility, pattern)}
    ELSE NOT EXISTS (SELECT FROM unnest(${arrayParameter(hiddenKeys)}::text[]) AS h (key) WHERE starts_with(h.key, ${prefix}))
      AND NOT EXISTS (SELECT FROM unnest(${arrayParameter(hidden.prefixes)}::text[]) AS h (prefix)
        WHERE ${common} IS NOT NULL AND NOT ${beginsWithOne(granted.prefixes, common)}) END`;
}

const covers = ({ exact, prefixes }: KeyPatterns, key: Sql): Sql =>
  sql`(${key} = ANY(${arrayParameter(exact)}::text[]) OR ${beginsWithOne(prefixes, key)})`;

const beginsWithOne = (prefixes: readonly string[], text: Sql): Sql =>
  sql`EXISTS (SELECT FROM unnest(${arrayParameter(prefixes)}::text[]) AS p (prefix) WHERE starts_with(${text}, p.prefix))`;
