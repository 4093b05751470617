import type { PlanMode } from '../../database/database';
import { containsFolded, foldOnce } from '../../database/resource-sql';
import { and, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import {
  equalValues,
  isIndexable,
  isWholeValue,
  type Operator,
  pathOf,
  type VariableFilter,
} from './variable-filter';

/**
 * What a document must meet to match a filter, in the terms of PostgreSQL: all of the members that are not null. Paths are
 * jsonpaths over the whole document, and are passed to the database as parameters.
 */
export interface DocumentTest {
  /** A path that finds something. */
  readonly required: string | null;
  /** A path that finds nothing. */
  readonly excluded: string | null;
  /** A path to texts, one of which compares with the operand. For what jsonpath cannot compare. */
  readonly texts: string | null;
  readonly comparison: TextComparison | null;
  readonly operand: string | null;
}

type TextComparison = Extract<Operator, '~=' | '<' | '<=' | '>' | '>='>;

const ANY_DOCUMENT: DocumentTest = {
  required: null,
  excluded: null,
  texts: null,
  comparison: null,
  operand: null,
};

/** The test of a filter. */
export function documentTest(filter: VariableFilter): DocumentTest {
  const { predicate } = filter;
  const path = pathOf(filter);
  const equals = (values: readonly string[]) =>
    `${path} ? (${values.map((value) => `@ == ${value}`).join(' || ')})`;
  switch (predicate.operator) {
    case '=':
    case 'in':
      return { ...ANY_DOCUMENT, required: equals(equalValues(filter) ?? []) };
    case '!=':
      return { ...ANY_DOCUMENT, required: path, excluded: equals([predicate.value]) };
    case 'exists':
      return { ...ANY_DOCUMENT, required: path };
    case 'missing':
      return { ...ANY_DOCUMENT, excluded: path };
    case '^=':
      return { ...ANY_DOCUMENT, required: `${path} ? (@ starts with ${predicate.value})` };
    case '~=':
      return textTest(path, predicate.operator, predicate.value);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return predicate.value.startsWith('"')
        ? textTest(path, predicate.operator, predicate.value)
        : { ...ANY_DOCUMENT, required: `${path} ? (@ ${predicate.operator} ${predicate.value})` };
  }
}

/** The path to the texts of a value: to itself, or to its elements. */
const TEXTS = '$[*] ? (@.type() == "string")';

/**
 * `[*]` and the filter look into arrays of arrays, as the comparisons of jsonpath do: these unwrap what the filter has
 * unwrapped.
 */
const textTest = (path: string, comparison: TextComparison, operand: string): DocumentTest => ({
  ...ANY_DOCUMENT,
  texts: `${path}${TEXTS.slice(1)}`,
  comparison,
  operand: JSON.parse(operand) as string,
});

/** The jsonpath that finds something in exactly the documents that match; undefined if one path cannot tell. */
export function toJsonPath(filter: VariableFilter): string | undefined {
  const { required, excluded, texts } = documentTest(filter);
  return excluded === null && texts === null ? (required ?? undefined) : undefined;
}

/**
 * Whether a document matches a filter.
 * @param document of type `jsonb`, such as `t.variables`
 * @param planning of the statement. `generic`: a subquery, `(SELECT …)`, hides the value from the planner. PostgreSQL plans the first
 * executions of a prepared statement for their values, and each one if these plans seem cheaper than the generic plan; without values,
 * they are the same
 */
export function matchesFilter(filter: VariableFilter, document: Sql, planning: PlanMode = 'custom'): Sql {
  const { required, excluded, texts, comparison, operand } = documentTest(filter);
  // If no index can answer the path, the condition uses a function instead of the equivalent operator. With the operator, the
  // planner could read the whole index, including all other projects.
  const finds = (path: string) =>
    isIndexable(filter)
      ? sql`${document} @? ${planning === 'generic' ? sql`(SELECT ${path}::jsonpath)` : sql`${path}::jsonpath`}`
      : sql`jsonb_path_exists(${document}, ${path}::jsonpath, '{}', true)`;
  const conditions = [
    ...(required === null ? [] : [finds(required)]),
    ...(excluded === null ? [] : [sql`${finds(excluded)} IS NOT TRUE`]),
    ...(texts === null || comparison === null
      ? []
      : [
          textMatches(
            filter,
            document,
            texts,
            (text) => textComparisons(text, sql`${operand}::text`, foldOnce(operand))[comparison],
          ),
        ]),
  ];
  return sql`(${and(conditions)})`;
}

/**
 * Whether a text at a path meets a condition. A whole value is read from the document once, because PostgreSQL decompresses a large
 * document for each reference to it. OFFSET 0 keeps the planner from repeating the reference.
 */
function textMatches(
  filter: VariableFilter,
  document: Sql,
  path: string,
  condition: (text: Sql) => Sql,
): Sql {
  if (!isWholeValue(filter)) return hasText(document, sql`${path}::jsonpath`, condition(sql`o.text`));
  return sql`(SELECT CASE jsonb_typeof(w.value) WHEN 'string' THEN ${condition(sql`(w.value #>> '{}')`)}
        WHEN 'array' THEN ${hasText(sql`w.value`, sql`${TEXTS}::jsonpath`, condition(sql`o.text`))} ELSE false END
      FROM (SELECT ${document} -> ${filter.key}::text AS value OFFSET 0) w)`;
}

/** The tests of filters as columns of `f`, for `unnest(…) AS f (…)`. */
export const testColumns = (
  filters: readonly VariableFilter[],
): { readonly arrays: readonly Sql[]; readonly names: Sql } => {
  const tests = filters.map(documentTest);
  const column = (name: keyof DocumentTest, type: string) =>
    opaqueArray(
      tests.map((test) => test[name]),
      type,
    );
  return {
    arrays: [
      column('required', 'jsonpath'),
      column('excluded', 'jsonpath'),
      column('texts', 'jsonpath'),
      column('comparison', 'text'),
      column('operand', 'text'),
    ],
    names: sql`required, excluded, texts, comparison, operand`,
  };
};

/**
 * Whether a document meets a test that is given by the columns of `testColumns`: the same statement for all filters.
 * @param columns the alias of the row that has them
 */
export function meetsTest(document: Sql, columns: string): Sql {
  const column = (name: keyof DocumentTest) => raw(`${columns}.${name}`);
  const comparisons = textComparisons(sql`o.text`, column('operand'));
  const compared = sql`CASE ${column('comparison')} WHEN '~=' THEN ${comparisons['~=']} WHEN '<' THEN ${comparisons['<']}
    WHEN '<=' THEN ${comparisons['<=']} WHEN '>' THEN ${comparisons['>']} ELSE ${comparisons['>=']} END`;
  return sql`((${column('required')} IS NULL OR ${document} @? ${column('required')})
    AND (${column('excluded')} IS NULL OR (${document} @? ${column('excluded')}) IS NOT TRUE)
    AND (${column('texts')} IS NULL OR ${hasText(document, column('texts'), compared)}))`;
}

/** Whether one of the texts that a path finds, as `o.text`, meets a condition. */
const hasText = (document: Sql, path: Sql, condition: Sql): Sql =>
  sql`EXISTS (SELECT FROM jsonb_path_query(${document}, ${path}, '{}', true) AS found (value)
    CROSS JOIN LATERAL (SELECT found.value #>> '{}' AS text) o WHERE ${condition})`;

/** Whether a text compares with an operand. @param folded the operand; of a parameter, a query folds it only once */
const textComparisons = (
  text: Sql,
  operand: Sql,
  folded = sql`fold_case(${operand})`,
): Readonly<Record<TextComparison, Sql>> => ({
  '~=': containsFolded(sql`fold_case(${text})`, folded),
  '<': isInNaturalOrder(text, '<', operand),
  '<=': isInNaturalOrder(text, '<=', operand),
  '>': isInNaturalOrder(text, '>', operand),
  '>=': isInNaturalOrder(text, '>=', operand),
});

/** Whether a text compares with another one, digits in a row by their value. */
export const isInNaturalOrder = (text: Sql, operator: '<' | '<=' | '>' | '>=', operand: Sql): Sql =>
  sql`${text} ${raw(operator)} ${operand} COLLATE natural_order`;
