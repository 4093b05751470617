import type { ListBody } from '../core/context/app-settings';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId, parseUuid } from '../core/parse-id';
import type { QueryParameters } from '../core/query-parameters';
import type { Sql } from '../database/sql';
import type { ResourceShape, SortColumn } from '../database/resource-shape';
import type { SortOrder } from './keyset';
import type { Branch } from './list-request';
import { booleanValue, type ListFilter } from './list-filter';

/** The media type that asks for page objects. */
export const PAGE_MEDIA_TYPE = 'application/vnd.muster.page+json';

/** The bounds of a `limit`, and what it is where none is given. */
interface Limits {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** The bounds of `limit`. */
export const LIMITS = {
  array: { least: 1, most: 10_000, usual: 1_000 },
  page: { least: 10, most: 100, usual: 30 },
  preview: { least: 1, most: 1_000, usual: 30 },
} as const;

/** The parameters that every list has, read and checked, but for those that say where its pages begin. */
export interface UnpagedQuery {
  readonly limit: number;
  readonly descending: boolean;
  /** The members to show. */
  readonly members: readonly string[];
  readonly resolved: boolean;
  readonly projectId: string | undefined;
  /** Filters and what they were given, a pair for each value. */
  readonly filters: readonly (readonly [ListFilter, string])[];
  /** Parameters that the list handles itself. */
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/** A list's query, read and checked. */
export interface ListQuery extends UnpagedQuery {
  readonly marker: string | undefined;
  readonly order: SortOrder;
}

/** What a list accepts, whatever its items are. */
export interface ListNames {
  /** Every member that answers can show. */
  readonly members: readonly string[];
  readonly filters: readonly ListFilter[];
  /** The common parameters that this list takes: not each takes them all. */
  readonly common: readonly CommonParameter[];
  /** Parameters that the list handles itself. */
  readonly others: readonly OtherParameter[];
}

/** What a list of resources accepts. */
export interface ListParameters extends ListNames {
  readonly shape: ResourceShape;
}

interface OtherParameter {
  readonly name: string;
  /** May be given several times. */
  readonly repeatable?: true;
}

export type CommonParameter =
  'limit' | 'marker' | 'sort_keys' | 'sort_dir' | 'fields' | 'resolved-values' | 'project_id';

/**
 * Reads a list's query.
 * @throws InventoryError 400 for unknown or repeated parameters and for values that are not of their form
 */
export function parseListQuery(query: QueryParameters, accepts: ListParameters, body: ListBody): ListQuery {
  const read = parseUnpaged(query, accepts, body);
  const one = (name: CommonParameter) => read.others.get(name)?.[0];
  return {
    ...read,
    marker: markerOf(one('marker'), accepts.shape),
    order: { keys: sortColumns(one('sort_keys'), accepts.shape), descending: read.descending },
  };
}

/**
 * Reads a list's query where its order is its own, and so is what its markers are: both are left to the list.
 * @throws InventoryError 400 for unknown or repeated parameters and for values that are not of their form
 */
export function parseUnpaged(query: QueryParameters, accepts: ListNames, body: ListBody): UnpagedQuery {
  const values = valuesOf(query, accepts);
  const one = (name: CommonParameter) => values.get(name)?.[0];
  return {
    limit: limitOf(one('limit'), LIMITS[body]),
    descending: isDescending(one('sort_dir')),
    members: membersOf(one('fields'), accepts.members),
    resolved: booleanValue('resolved-values', one('resolved-values') ?? 'true'),
    projectId: projectOf(one('project_id')),
    filters: accepts.filters.flatMap((filter) =>
      (values.get(filter.name) ?? []).map((value) => [filter, value] as const),
    ),
    others: values,
  };
}

function valuesOf(query: QueryParameters, accepts: ListNames): Map<string, string[]> {
  const { common, filters, others } = accepts;
  const named = [...others, ...filters];
  const repeatable = new Set(named.filter((parameter) => parameter.repeatable).map(({ name }) => name));
  const known = new Set<string>([...common, ...named.map(({ name }) => name)]);
  const values = new Map<string, string[]>();
  for (const [name, given] of Object.entries(query)) {
    if (!known.has(name)) throw InventoryError.invalid(name, 'is not a parameter of this list');
    const texts = (Array.isArray(given) ? given : [given]).map(String);
    if (texts.length > 1 && !repeatable.has(name))
      throw InventoryError.invalid(name, 'can be given only once');
    values.set(name, texts);
  }
  return values;
}

/** Reads how many items at most are asked for. @throws InventoryError 400 */
export function limitOf(text: string | undefined, bounds: Limits): number {
  const { least, most, usual } = bounds;
  if (text === undefined) return usual;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit >= least && limit <= most))
    throw InventoryError.invalid('limit', `must be an integer from ${String(least)} to ${String(most)}`);
  return limit;
}

function markerOf(text: string | undefined, shape: ResourceShape): string | undefined {
  if (text === undefined) return undefined;
  const id = shape.idType === 'uuid' ? parseUuid(text) : parseId(text);
  if (id === undefined)
    throw InventoryError.invalid(
      'marker',
      `must be the id of an item: ${shape.idType === 'uuid' ? 'a UUID' : 'an integer'}`,
    );
  return String(id);
}

/** The conditions of a list's filters. @throws InventoryError 400 for a value that is not of its filter's form */
export function filterConditions(ctx: RequestContext, { filters }: Pick<ListQuery, 'filters'>): Sql[] {
  const given = new Map(filters.map(([filter, value]) => [filter.name, value]));
  return filters.map(([filter, value]) => filter.condition(value, given, ctx));
}

/** The way to what a list's filters find, where one of them has a way of its own. @throws InventoryError 400 */
export function filterBranch(
  { filters }: Pick<ListQuery, 'filters'>,
  scope: ProjectScope,
): Branch | undefined {
  const given = new Map(filters.map(([filter, value]) => [filter.name, value]));
  let range: Branch | undefined;
  for (const [filter, value] of filters) {
    const all = filters.flatMap(([other, text]) => (other === filter ? [text] : []));
    const branch = filter.branch?.(value, given, scope, all);
    // A range may be of nearly everything.
    if (branch?.rangeOf !== undefined) range = branch;
    else if (branch) return branch;
  }
  return range;
}

/** The columns that a list of these can be sorted by. */
export const sortKeysOf = (shape: ResourceShape): string[] =>
  Object.entries(shape.fields).flatMap(([name, field]) => (field.sort ? [name] : []));

function isDescending(direction: string | undefined): boolean {
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
    throw InventoryError.invalid('sort_dir', 'must be asc or desc');
  return direction === 'desc';
}

function sortColumns(keys: string | undefined, shape: ResourceShape): readonly SortColumn[] {
  const columns: SortColumn[] = [];
  const names: string[] = [];
  for (const name of new Set([...(keys === undefined ? [] : keys.split(/[ ,]+/)), 'id'])) {
    const sort = Object.hasOwn(shape.fields, name) ? shape.fields[name]?.sort : undefined;
    if (!sort)
      throw InventoryError.invalid(
        'sort_keys',
        `${JSON.stringify(name)} is none of ${sortKeysOf(shape).join(', ')}`,
      );
    columns.push(sort);
    names.push(name);
  }
  // Ids are distinct: nothing after one can matter.
  return columns.slice(0, names.indexOf('id') + 1);
}

function membersOf(fields: string | undefined, known: readonly string[]): readonly string[] {
  if (fields === undefined) return known;
  const asked = new Set(fields.split(','));
  for (const name of asked)
    if (!known.includes(name))
      throw InventoryError.invalid('fields', `${JSON.stringify(name)} is none of ${known.join(', ')}`);
  return known.filter((name) => asked.has(name));
}

/** Reads the id of a project. @throws InventoryError 400 */
export function projectOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = parseUuid(text);
  if (id === undefined) throw InventoryError.invalid('project_id', 'must be a UUID');
  return id;
}
