import { isScalar, jsonText } from './exact-json';

/** Filters of one request. */
const MAX_FILTERS = 16;
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;
/** Cannot be written in a filter. */
const RESERVED = /[:,]/;

const leg = (key: string): string => (IDENTIFIER.test(key) ? key : JSON.stringify(key));

/**
 * The `vars` filter that selects the devices with a value. Filters compare scalars, so a document is compared part by part: a
 * longer document matches, too.
 * @param path a part of the value, in the syntax of filters
 * @returns undefined if no filter can express it: an empty document, a text with `:` or `,`, or too many parts
 */
export function varsFilterOf(key: string, value: unknown, path = ''): string | undefined {
  const start = `${leg(key)}${path === '' || path.startsWith('[') ? '' : '.'}${path}`;
  const parts = partsOf(start, value);
  if (parts.length === 0 || parts.length > MAX_FILTERS) return undefined;
  const filters = parts.flatMap(([name, part]) => filterOf(name, part) ?? []);
  return filters.length === parts.length ? filters.join(',') : undefined;
}

/** The scalars of a document with their paths. An element of an array within an array has no path. */
function partsOf(path: string, value: unknown): [string, unknown][] {
  if (isScalar(value)) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((element, i) => partsOf(`${path}[${i}]`, element));
  return Object.entries(value as object).flatMap(([key, member]) => partsOf(`${path}.${leg(key)}`, member));
}

function filterOf(path: string, value: unknown): string | undefined {
  if (RESERVED.test(path) || path.includes('][')) return undefined;
  return typeof value === 'string' && RESERVED.test(value) ? undefined : `${path}:${jsonText(value)}`;
}
