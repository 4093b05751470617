import { isScalar, jsonText } from '../api/exact-json';

/** A step of a path: the key of a member. */
const legOf = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : jsonText(key));

/** Filters of one request. */
const MAX_FILTERS = 16;
/** Cannot be written in a filter. */
const RESERVED = /[:,]/;

/**
 * The filters that select the devices that resolve a value. They compare scalars, so a document is compared part by part: a
 * longer document matches, too.
 * @param path a part of the value, in the syntax of filters
 * @returns undefined if no filters express it: an empty document, a text with `:` or `,`, or too many parts
 */
export function varsFilterOf(key: string, value: unknown, path = ''): string | undefined {
  const start = `${legOf(key)}${path === '' || path.startsWith('[') ? '' : '.'}${path}`;
  const parts = partsOf(start, value);
  if (parts.length === 0 || parts.length > MAX_FILTERS) return undefined;
  const filters = parts.flatMap(([name, part]) => filterOf(name, part) ?? []);
  return filters.length === parts.length ? filters.join(',') : undefined;
}

/** The scalars of a document with their paths. */
function partsOf(path: string, value: unknown): [string, unknown][] {
  if (isScalar(value)) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((element, i) => partsOf(`${path}[${i}]`, element));
  return Object.entries(value as object).flatMap(([key, member]) => partsOf(`${path}.${legOf(key)}`, member));
}

/** An element of an array within an array has no path. */
function filterOf(path: string, value: unknown): string | undefined {
  if (RESERVED.test(path) || path.includes('][')) return undefined;
  return typeof value === 'string' && RESERVED.test(value) ? undefined : `${path}:${jsonText(value)}`;
}
