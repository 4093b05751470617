import {
  visibleProjects,
  type ProjectScope,
  type RequestContext,
  type ListBody,
} from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseUuid, type QueryParameters, parameterReader } from '../core/parameters';
import { and, type Sql } from '../database/sql';
import type { ResourceMapping, SortColumn } from '../database/resource-mapping';
import type { SortOrder } from './keyset';
import { type Marker, parseMarker } from './marker';
import type { FilterPath, FilterSource } from './selection';
import { type ListFilter, parseBooleanValue, parseIdValue } from './list-filter';

/** The media type that requests page objects, whatever the form is that the deployment prefers. */
export const PAGE_MEDIA_TYPE = 'application/vnd.muster.page+json';

/** The media type that requests arrays, likewise. */
export const ARRAY_MEDIA_TYPE = 'application/vnd.muster.array+json';

/** The bounds and the default of a `limit`. */
interface Limits {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** The bounds of `limit`, by the form of the response. */
export const LIMITS: Readonly<Record<ListBody | 'preview', Limits>> = {
  array: { min: 1, max: 10_000, default: 1_000 },
  page: { min: 10, max: 100, default: 30 },
  preview: { min: 1, max: 1_000, default: 30 },
};

/** Parameters with several texts, which clients join by `,` or send one by one: generated clients do either. */
const JOINED: ReadonlySet<string> = new Set(['fields', 'sort_keys', 'explain', 'group_by']);

/** The parsed parameters of a list, without its order and marker. */
export interface UnpagedQuery {
  readonly limit: number;
  readonly descending: boolean;
  /** The shown members. */
  readonly members: readonly string[];
  readonly resolved: boolean;
  readonly projectId: string | undefined;
  /** Filters and their values; a repeated filter has one pair for each value. */
  readonly filters: readonly (readonly [ListFilter, string])[];
  /** The values of all parameters, by name, for the parameters that the list itself handles. */
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/** The parsed query of a list. */
export interface ListQuery extends UnpagedQuery {
  readonly marker: Marker | undefined;
  readonly order: SortOrder;
}

/** The parameters that a list accepts, whatever its items are. */
export interface ListParameters {
  /** All members that responses can show. */
  readonly members: readonly string[];
  readonly filters: readonly ListFilter[];
  /** The common parameters that this list accepts. */
  readonly common: readonly CommonParameter[];
  /** Parameters that the list itself handles. */
  readonly others: readonly OtherParameter[];
}

/** The parameters that a list of resources accepts. */
export interface ResourceListParameters extends ListParameters {
  readonly mapping: ResourceMapping;
}

interface OtherParameter {
  readonly name: string;
  /** The parameter can be repeated. */
  readonly repeatable?: true;
  /** It can also have several values that are joined by `,`. */
  readonly joinable?: true;
}

export type CommonParameter =
  | 'limit'
  | 'marker'
  | 'sort_keys'
  | 'sort_dir'
  | 'fields'
  | 'resolved-values'
  | 'project_id';

/**
 * Parses the query of a list.
 * @throws InventoryError 400 for unknown or repeated parameters and for malformed values
 */
export function parseListQuery(
  query: QueryParameters,
  accepts: ResourceListParameters,
  body: ListBody,
): ListQuery {
  const unpaged = parseUnpagedQuery(query, accepts, body);
  const { mapping } = accepts;
  const valueOf = (name: CommonParameter) => unpaged.others.get(name)?.[0];
  const order = { keys: parseSortKeys(valueOf('sort_keys'), mapping), descending: unpaged.descending };
  const marker = valueOf('marker');
  return {
    ...unpaged,
    order,
    marker: marker === undefined ? undefined : parseMarker(marker, { mapping, order }),
  };
}

/**
 * Parses the query of a list that has its own order and its own form of markers.
 * @param body the form of the response, which determines the bounds of `limit`
 * @throws InventoryError 400 for unknown or repeated parameters and for malformed values
 */
export function parseUnpagedQuery(
  query: QueryParameters,
  accepts: ListParameters,
  body: keyof typeof LIMITS,
): UnpagedQuery {
  const values = readValues(query, accepts);
  const valueOf = (name: CommonParameter) => values.get(name)?.[0];
  return {
    limit: parseLimit(valueOf('limit'), LIMITS[body]),
    descending: isDescending(valueOf('sort_dir')),
    members: parseFields(valueOf('fields'), accepts.members),
    resolved: parseBooleanValue('resolved-values', valueOf('resolved-values') ?? 'true'),
    projectId: parseProjectId(valueOf('project_id')),
    filters: accepts.filters.flatMap((filter) =>
      (values.get(filter.name) ?? []).map((value) => [filter, value] as const),
    ),
    others: values,
  };
}

function readValues(query: QueryParameters, accepts: ListParameters): Map<string, string[]> {
  const { common, filters, others } = accepts;
  const named = [...others, ...filters];
  const repeatable = new Set(named.filter((parameter) => parameter.repeatable).map(({ name }) => name));
  const joinable = new Set(others.filter((parameter) => parameter.joinable).map(({ name }) => name));
  const known = new Set<string>([...common, ...named.map(({ name }) => name)]);
  const values = new Map<string, string[]>();
  for (const [name, given] of Object.entries(query)) {
    if (!known.has(name)) throw InventoryError.invalid(name, 'unknown_parameter', 'is not a parameter here');
    const texts = (Array.isArray(given) ? given : [given]).map(String);
    if (JOINED.has(name)) values.set(name, [texts.join(',')]);
    else if (texts.length > 1 && !repeatable.has(name))
      throw InventoryError.invalid(name, 'repeated', 'can be given only once');
    else values.set(name, joinable.has(name) ? texts.flatMap((text) => text.split(',')) : texts);
  }
  return values;
}

/**
 * Parses the maximum number of items.
 * @param name the parameter
 * @throws InventoryError 400
 */
export function parseLimit(text: string | undefined, bounds: Limits, name = 'limit'): number {
  if (text === undefined) return bounds.default;
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit >= bounds.min && limit <= bounds.max))
    throw InventoryError.invalid(
      name,
      Number.isNaN(limit) ? 'invalid_format' : 'out_of_range',
      `must be an integer from ${String(bounds.min)} to ${String(bounds.max)}`,
    );
  return limit;
}

/** A filter of a query with all of its values. */
interface GivenFilter {
  readonly filter: ListFilter;
  readonly values: readonly string[];
}

/** The filters of a query, each once. */
function givenFilters({ filters }: Pick<ListQuery, 'filters'>): GivenFilter[] {
  const values = new Map<ListFilter, string[]>();
  for (const [filter, value] of filters) values.set(filter, [...(values.get(filter) ?? []), value]);
  return [...values].map(([filter, all]) => ({ filter, values: all }));
}

/** The values of the filters of a query, by name. */
const valuesByName = ({ filters }: Pick<ListQuery, 'filters'>): ReadonlyMap<string, string> =>
  new Map(filters.map(([filter, value]) => [filter.name, value]));

/**
 * The conditions of a list's filters.
 * @param scope the listed projects
 * @throws InventoryError 400 for a malformed value
 */
export function filterConditions(
  ctx: RequestContext,
  query: Pick<ListQuery, 'filters'>,
  scope = visibleProjects(ctx),
): Sql[] {
  const given = valuesByName(query);
  return givenFilters(query).flatMap((one) => conditionsOf(one, given, ctx, scope));
}

const conditionsOf = (
  { filter, values }: GivenFilter,
  given: ReadonlyMap<string, string>,
  ctx: RequestContext,
  scope: ProjectScope,
): Sql[] =>
  filter.ofSeveral && values.length > 1
    ? [filter.ofSeveral(values, scope)]
    : values.map((value) => filter.condition(value, given, ctx, scope));

/** How sources of filters are preferred: the smallest is the best. A range can contain nearly all rows. */
const PREFERENCE: Readonly<Record<FilterSource['kind'], number>> = {
  join: 0,
  unordered: 0,
  table: 1,
  blocks: 2,
  range: 3,
};

/**
 * The access paths of the filters of a list: that of the filter with the best sources, and that of a part of a text, which
 * can be frequent or rare.
 * @param missingIndexes the optional indexes that the database does not have
 * @throws InventoryError 400
 */
export function filterPaths(
  ctx: RequestContext,
  query: Pick<ListQuery, 'filters'>,
  scope: ProjectScope,
  missingIndexes: ReadonlySet<string> = new Set(),
): readonly FilterPath[] {
  const given = valuesByName(query);
  const paths = givenFilters(query).flatMap((one): FilterPath[] => {
    const { filter, values } = one;
    if (filter.optionalIndex !== undefined && missingIndexes.has(filter.optionalIndex)) return [];
    const sources = filter.sources?.(values[0] ?? '', given, scope, values) ?? [];
    return sources.length === 0 ? [] : [{ sources, match: and(conditionsOf(one, given, ctx, scope)) }];
  });
  const rank = ({ sources }: FilterPath) => Math.min(...sources.map(({ kind }) => PREFERENCE[kind]));
  const [best, ...others] = paths.toSorted((a, b) => rank(a) - rank(b));
  const ofParts = others.filter(({ sources }) => sources.some(({ kind }) => kind === 'blocks'));
  return best ? [best, ...ofParts] : [];
}

/** The names of the sort keys of a list. */
export const sortKeyNames = (mapping: ResourceMapping): string[] => [...sortColumnsOf(mapping).keys()];

/** The columns that a list can be sorted by, by the name of the sort key. */
const sortColumnsOf = ({ fields }: ResourceMapping): ReadonlyMap<string, SortColumn> =>
  new Map(
    Object.entries(fields).flatMap(([name, { sort, naturalSort }]) => [
      ...(sort ? [[name, sort] as const] : []),
      ...(naturalSort ? [[`${name}:natural`, naturalSort] as const] : []),
    ]),
  );

function isDescending(direction: string | undefined): boolean {
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
    throw InventoryError.invalid('sort_dir', 'invalid_value', 'must be asc or desc');
  return direction === 'desc';
}

function parseSortKeys(keys: string | undefined, mapping: ResourceMapping): readonly SortColumn[] {
  const known = sortColumnsOf(mapping);
  const columns: SortColumn[] = [];
  const names: string[] = [];
  for (const name of new Set([...(keys === undefined ? [] : keys.split(/[ ,]+/)), 'id'])) {
    const sort = known.get(name);
    if (!sort)
      throw InventoryError.invalid(
        'sort_keys',
        'invalid_value',
        `${JSON.stringify(name)} is not one of ${[...known.keys()].join(', ')}`,
      );
    columns.push(sort);
    names.push(name);
  }
  // Ids are unique, so sort keys after the id have no effect.
  return columns.slice(0, names.indexOf('id') + 1);
}

/** Parses the parameter `fields`: members to show, joined by `,`. @throws InventoryError 400 for an unknown member */
export function parseFields(fields: string | undefined, known: readonly string[]): readonly string[] {
  if (fields === undefined) return known;
  const names = new Set(fields.split(','));
  for (const name of names)
    if (!known.includes(name))
      throw InventoryError.invalid(
        'fields',
        'invalid_value',
        `${JSON.stringify(name)} is not one of ${known.join(', ')}`,
      );
  return known.filter((name) => names.has(name));
}

/** Parses the id of a project. @throws InventoryError 400 */
export function parseProjectId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = parseUuid(text);
  if (id === undefined) throw InventoryError.invalid('project_id', 'invalid_format', 'must be a UUID');
  return id;
}

/** A page of devices in id order. */
export interface IdPage {
  readonly limit: number;
  /** The id of the last device seen. */
  readonly marker: number | undefined;
}

/** Parses `limit` and `marker`. @throws InventoryError 400 */
export function readIdPage(text: (name: 'limit' | 'marker') => string | undefined): IdPage {
  const marker = text('marker');
  return {
    limit: parseLimit(text('limit'), LIMITS.preview),
    marker: marker === undefined ? undefined : parseIdValue('marker', marker),
  };
}

/** Parses a query that has only `limit` and `marker`. @throws InventoryError 400 */
export const parseIdPage = (query: QueryParameters): IdPage =>
  readIdPage(parameterReader(query, ['limit', 'marker']));
