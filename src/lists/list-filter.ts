import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseNetwork } from '../core/ip-address';
import { parseId, parseUuid } from '../core/parameters';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import type { ResourceMapping } from '../database/resource-mapping';
import type { FilterSource, JoinSource } from './selection';
import { MAX_COUNTED_ASSIGNMENTS } from './tuning';
import { variableKeyError } from '../core/context/variable-keys';

/** A query parameter that filters a list. The OpenAPI description is generated from the same declaration. */
export interface ListFilter {
  readonly name: string;
  readonly description: string;
  readonly type: 'integer' | 'string' | 'boolean';
  /** The format of a string; absent: any text. */
  readonly format?: 'uuid';
  readonly example: string | number | boolean;
  /** The values that can match something. Others are accepted and match nothing. */
  readonly values?: readonly string[];
  /** The parameter can be repeated; a row must meet all of its conditions, or `ofSeveral`. */
  readonly repeatable?: true;
  /** The value can also be `null`, for rows without a value. */
  readonly nullable?: true;
  /** The value is the id of a resource of this kind. If the caller cannot see that resource, the response is 404. */
  readonly refersTo?: ResourceMapping;
  /** Whether a value matches every row, as an empty prefix does, or would if it is misspelled; absent: no value does. */
  readonly mayMatchEveryRow?: (value: string) => boolean;
  /**
   * The condition over `t`.
   * @param given the values of all filters of the list, by name, for filters whose meaning depends on another one
   * @param ctx for filters whose result depends on what the caller may see
   * @param scope the listed projects
   * @throws InventoryError 400 for a malformed value
   */
  readonly condition: (
    value: string,
    given: ReadonlyMap<string, string>,
    ctx: RequestContext,
    scope: ProjectScope,
  ) => Sql;
  /** The condition for several values, if it is another one than all of their conditions. */
  readonly ofSeveral?: (values: readonly string[], scope: ProjectScope) => Sql;
  /**
   * Sources that together read the matching rows through their own index, for values that match few rows. The condition
   * applies as well.
   * @param scope the listed projects
   * @param all all values of a repeated filter
   */
  readonly sources?: (
    value: string,
    given: ReadonlyMap<string, string>,
    scope: ProjectScope,
    all: readonly string[],
  ) => readonly FilterSource[];
  /** The index that the sources need, if not every database has it: see `OptionalIndexes`. */
  readonly optionalIndex?: string;
}

/** Parses an id. @throws InventoryError 400 */
export function parseIdValue(name: string, text: string, expected = 'an integer'): number {
  const id = parseId(text);
  if (id === undefined) throw InventoryError.invalid(name, 'invalid_format', `must be ${expected}`);
  return id;
}

/** Parses a boolean. @throws InventoryError 400 */
export function parseBooleanValue(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw InventoryError.invalid(name, 'invalid_value', 'must be true or false');
  return text === 'true';
}

/** A filter by the id of another resource. Without `refersTo`, an unknown id gives an empty list and not a 404. */
export function idFilter(name: string, description: string, refersTo?: ResourceMapping): ListFilter {
  return {
    name,
    description,
    type: 'integer',
    example: 1,
    ...(refersTo ? { refersTo } : {}),
    condition: (value) => sql`${raw(`t.${name}`)} = ${parseIdValue(name, value)}`,
  };
}

/** A filter by the resource's UUID. @param column the column of the UUID; its index starts with the project */
export function uuidFilter(column: string): ListFilter {
  return {
    name: 'uuid',
    description: 'Only the resource with this UUID, with or without dashes, in upper or lower case.',
    type: 'string',
    format: 'uuid',
    example: '8d1a926b-2c8a-49b3-8fc2-31d00e56203f',
    condition: (value) => {
      const uuid = parseUuid(value);
      if (uuid === undefined) throw InventoryError.invalid('uuid', 'invalid_format', 'must be a UUID');
      return sql`${raw(column)} = ${uuid}::uuid`;
    },
  };
}

/** A filter by the exact text of a column. */
export function textFilter(
  name: string,
  description: string,
  example: string,
  column = `t.${name}`,
): ListFilter {
  return {
    name,
    description,
    type: 'string',
    example,
    condition: (value) => sql`${raw(column)} = ${parseStorableText(name, value)}`,
  };
}

/** A filter by a prefix. @param column a column whose collation, and so its index, is in code point order */
export function prefixFilter(name: string, description: string, example: string, column: string): ListFilter {
  const condition = (value: string): Sql => prefixRange(raw(column), parseStorableText(name, value));
  return {
    name,
    description,
    type: 'string',
    example,
    condition,
    mayMatchEveryRow: (value) => value === '',
    sources: (value) => [{ kind: 'range', column, drivingRows: undefined, where: condition(value) }],
  };
}

/** Whether a text has a prefix, as a range of an index. @param column a column whose collation is "C" */
export function prefixRange(column: Sql, prefix: string): Sql {
  const end = prefixUpperBound(prefix);
  const start = sql`${column} >= ${prefix}`;
  return end === undefined ? start : sql`(${start} AND ${column} < ${end})`;
}

const LAST_CODE_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

/** The smallest text, by code points, that is greater than all texts with the prefix; undefined if there is none. */
function prefixUpperBound(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters.
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}

/** Checks that PostgreSQL can store a text, which must not contain NUL. @throws InventoryError 400 */
export function parseStorableText(name: string, value: string): string {
  if (value.includes('\u0000'))
    throw InventoryError.invalid(name, 'invalid_format', 'must not contain a NUL character');
  return value;
}

/** A filter by a boolean column. */
export function booleanFilter(name: string, description: string): ListFilter {
  return {
    name,
    description,
    type: 'boolean',
    example: true,
    condition: (value) => sql`${raw(`t.${name}`)} = ${parseBooleanValue(name, value)}`,
  };
}

/** A filter by an address, or by a network that contains the address. */
export function addressFilter(name: string, column: string): ListFilter {
  return {
    name,
    description: 'An IP address, or a network in CIDR notation that contains the address.',
    type: 'string',
    example: '10.0.0.0/24',
    condition: (value) => {
      const network = parseNetwork(value);
      if (!network)
        throw InventoryError.invalid(
          name,
          'invalid_format',
          'must be an IP address or a network in CIDR notation',
        );
      return value.includes('/')
        ? sql`${raw(column)} <<= ${network.text}::inet`
        : sql`${raw(column)} = ${network.text}::inet`;
    },
    // A fleet usually has addresses of one version only.
    mayMatchEveryRow: (value) => /\/0+$/.test(parseNetwork(value)?.text ?? ''),
    // The number of matching addresses depends on the network, so the query is planned for each value.
    sources: (value) =>
      value.includes('/') ? [{ kind: 'unordered', drivingRows: undefined, where: sql`true` }] : [],
  };
}

/** A filter by a label of the resource. */
export function labelFilter(assignments: string, owner: string): ListFilter {
  return {
    name: 'label',
    description:
      'The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels.',
    type: 'string',
    example: 'compute',
    repeatable: true,
    condition: (value, _given, _ctx, scope) =>
      hasLabel(raw(assignments), raw(owner), scope, [parseLabel('label', value)]),
    sources: (_, _given, scope, all) => [
      labelSource(raw(assignments), raw(owner), scope, [
        ...new Set(all.map((value) => parseLabel('label', value))),
      ]),
    ],
  };
}

/** A filter by a label that the resource does not have. */
export function withoutLabelFilter(assignments: string, owner: string): ListFilter {
  const name = 'without_label';
  const hasNone = (values: readonly string[], scope: ProjectScope): Sql =>
    sql`NOT ${hasLabel(
      raw(assignments),
      raw(owner),
      scope,
      values.map((value) => parseLabel(name, value)),
    )}`;
  return {
    name,
    description:
      'The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels.',
    type: 'string',
    example: 'retired',
    repeatable: true,
    mayMatchEveryRow: () => true,
    condition: (value, _given, _ctx, scope) => hasNone([value], scope),
    ofSeveral: hasNone,
  };
}

/** A filter by whether the resource has any label. Not a value of `label`: every text can be the name of a label. */
export const hasLabelsFilter = (assignments: string, owner: string): ListFilter => ({
  ...booleanFilter('has_labels', 'Whether the resources have any label.'),
  condition: (value) => {
    const hasAny = sql`EXISTS (SELECT FROM ${raw(assignments)} a
      WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id OFFSET 0)`;
    return parseBooleanValue('has_labels', value) ? hasAny : sql`NOT ${hasAny}`;
  },
});

/**
 * Whether a row `t` has one of the labels. They are looked up once. OFFSET 0 makes the planner look up the assignments row
 * by row; a join could read all assignments of the label.
 */
const hasLabel = (assignments: Sql, owner: Sql, scope: ProjectScope, names: readonly string[]): Sql =>
  sql`EXISTS (SELECT FROM ${assignments} a
      WHERE a.project_id = t.project_id AND a.${owner} = t.id AND a.label_id = ANY(ARRAY(SELECT l.id FROM labels l
        WHERE ${isListed(scope)} AND l.label = ANY(${arrayParameter(names)}::text[]))) OFFSET 0)`;

/** @throws InventoryError 400 for several labels in one value: names contain no commas, so it would match nothing */
export function parseLabel(parameter: 'label' | 'without_label', value: string): string {
  if (!value.includes(',')) return parseStorableText(parameter, value);
  const names = value.split(',').map((name) => `${parameter}=${name.trim()}`);
  throw InventoryError.invalid(
    parameter,
    'invalid_format',
    `must be the name of one label, without ",". For resources with ${parameter === 'label' ? 'all' : 'none'} of these labels, repeat the parameter: ${names.slice(0, 3).join('&')}${names.length > 3 ? '&…' : ''}`,
  );
}

/** Whether a label `l` is of a listed project. */
const isListed = (scope: ProjectScope): Sql =>
  scope === 'every project' ? sql`true` : sql`l.project_id = ${scope.project}`;

/** The rows with a label, through its assignments, in id order. Of several labels, it uses the one with the fewest. */
function labelSource(
  assignments: Sql,
  owner: Sql,
  scope: ProjectScope,
  names: readonly string[],
): JoinSource {
  const [first = ''] = names;
  const rarestLabel = sql`(SELECT l.project_id, l.id FROM labels l
    WHERE l.project_id = ${scope === 'every project' ? null : scope.project} AND l.label = ANY(${arrayParameter(names)}::text[])
    ORDER BY (SELECT count(*) FROM (SELECT FROM ${assignments} a
      WHERE a.project_id = l.project_id AND a.label_id = l.id LIMIT ${MAX_COUNTED_ASSIGNMENTS}) AS carriers) LIMIT 1) AS s`;
  const firstLabel = sql`(SELECT l.project_id, l.id FROM projects p JOIN labels l ON l.project_id = p.id
    WHERE ${scope === 'every project' ? sql`true` : sql`p.id = ${scope.project}`} AND l.label = ${first}) AS s`;
  return {
    kind: 'join',
    drivingRows: names.length > 1 && scope !== 'every project' ? rarestLabel : firstLabel,
    joined: {
      table: sql`${assignments} b`,
      projectColumn: sql`b.project_id`,
      idColumn: sql`b.${owner}`,
      where: sql`b.project_id = s.project_id AND b.label_id = s.id`,
    },
    where: sql`true`,
  };
}

/** Parses a parameter whose value is the key of a variable. @throws InventoryError 400 */
export function parseVariableKey(parameter: string, text: string): string {
  const error = variableKeyError(text);
  if (error !== undefined) throw InventoryError.faulty(parameter, error);
  return text;
}
