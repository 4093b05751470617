import { InventoryError } from '../core/errors';
import type { ProjectScope } from '../core/context/request-context';
import { hasTrigram } from '../database/trigrams';
import type { ResourceMapping } from '../database/resource-mapping';
import { containsIgnoringCase } from '../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { type ListFilter, parseIdValue, parseStorableText } from './list-filter';
import type { TableSource } from './selection';

/** The maximum number of values of a filter by one of several values. */
const MAX_VALUES = 100;

/** The value of a filter for rows without a value. */
export const NULL_VALUE = 'null';

/**
 * A column of `t` that a filter compares with one of several values. An index of the table begins with project and column,
 * and has the id after them. That of `access_secret_id` has neither the id nor the rows with null: to find those, the devices
 * of the project are read in the order of the list.
 */
interface ComparedColumn {
  readonly name: string;
  readonly type: 'bigint' | 'text';
  readonly isNullable: boolean;
  /** @throws InventoryError 400 */
  readonly parse: (value: string) => string | number;
}

/**
 * A filter by the id of another resource, which can be repeated: a row must have one of them.
 * @param refersTo without it, an unknown id gives an empty list and not a 404
 */
export function idsFilter(
  name: string,
  description: string,
  refersTo: ResourceMapping,
  options: { readonly nullable?: true } = {},
): ListFilter {
  return {
    name,
    description,
    type: 'integer',
    example: 1,
    refersTo,
    ...options,
    ...oneOf({
      name,
      type: 'bigint',
      isNullable: options.nullable === true,
      parse: (value) => parseIdValue(name, value, options.nullable ? 'an integer or null' : 'an integer'),
    }),
  };
}

/** A filter by the exact text of a column, which can be repeated: a row must have one of the texts. */
export const textsFilter = (name: string, description: string, example: string): ListFilter => ({
  name,
  description,
  type: 'string',
  example,
  ...oneOf({ name, type: 'text', isNullable: false, parse: (value) => parseStorableText(name, value) }),
});

function oneOf(
  column: ComparedColumn,
): Pick<ListFilter, 'repeatable' | 'condition' | 'ofSeveral' | 'sources'> {
  const compared = raw(`t.${column.name}`);
  const parse = (values: readonly string[]) => {
    if (values.length > MAX_VALUES)
      throw InventoryError.invalid(
        column.name,
        'too_long',
        `can be given at most ${String(MAX_VALUES)} times`,
      );
    const hasNull = column.isNullable && values.includes(NULL_VALUE);
    const others = values.filter((value) => !(column.isNullable && value === NULL_VALUE));
    return { hasNull, others: [...new Set(others.map(column.parse))] };
  };
  const ofSeveral = (values: readonly string[]): Sql => {
    const { hasNull, others } = parse(values);
    const [only, second] = others;
    if (only === undefined) return sql`${compared} IS NULL`;
    const isOne =
      second === undefined
        ? sql`${compared} = ${only}`
        : sql`${compared} = ANY(${arrayParameter(others)}::${raw(column.type)}[])`;
    return hasNull ? sql`(${isOne} OR ${compared} IS NULL)` : isOne;
  };
  return {
    repeatable: true,
    condition: (value) => ofSeveral([value]),
    ofSeveral,
    sources: (_value, _given, scope, all) => {
      const { hasNull, others } = parse(all);
      // An index can have the rows with one value in the order of ids, but not those with several.
      return others.length + Number(hasNull) > 1 && scope !== 'every project'
        ? sourcesOf(column, scope.project, others, hasNull)
        : [];
    },
  };
}

/** Reads the rows of each value in order: one range of the index for each. */
function sourcesOf(
  { name, type }: ComparedColumn,
  project: string,
  values: readonly (string | number)[],
  hasNull: boolean,
): TableSource[] {
  const column = raw(`t.${name}`);
  const ofValues: TableSource = {
    kind: 'table',
    drivingRows: sql`(SELECT ${project}::uuid AS project_id, v.value
      FROM unnest(${arrayParameter(values)}::${raw(type)}[]) AS v (value)) AS s`,
    where: sql`${column} = s.value`,
  };
  const ofNull: TableSource = {
    kind: 'table',
    drivingRows: sql`(SELECT ${project}::uuid AS project_id) AS s`,
    where: sql`${column} IS NULL`,
  };
  return [...(values.length > 0 ? [ofValues] : []), ...(hasNull ? [ofNull] : [])];
}

/**
 * A filter by a part of a text, in upper or lower case.
 * @param column a column with an index of trigrams
 * @param optionalIndex the index, which finds the rows in one block of ids
 */
export function containsFilter(
  name: string,
  description: string,
  example: string,
  column: string,
  optionalIndex: string,
): ListFilter {
  return {
    name,
    description,
    type: 'string',
    example,
    condition: (value) => containsIgnoringCase(raw(column), parseStorableText(name, value)),
    mayMatchEveryRow: (value) => value === '',
    optionalIndex,
    // Without a trigram, the index would find all rows.
    sources: (value, _given, scope: ProjectScope) =>
      hasTrigram(value) && scope !== 'every project'
        ? [{ kind: 'blocks', drivingRows: undefined, where: sql`true` }]
        : [],
  };
}
