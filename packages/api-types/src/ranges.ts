/** The maximum number of items in a range: the maximum of one request of the API. */
const MAX_RANGE_LENGTH = 1000;
const RANGE = /\{([A-Za-z]|\d{1,15})\.\.([A-Za-z]|\d{1,15})\}/g;

/** A text has a range that means nothing, or ranges of different lengths. The message says which. */
export class InvalidRangeError extends Error {
  override readonly name = 'InvalidRangeError';
}

/**
 * Expands ranges such as `{1..12}`, `{01..12}` or `{a..c}` in a name, and in step with it in the texts of other members.
 * @param members their texts, and texts in arrays, are expanded; other values are the same for each item
 * @returns the name and the members of each item; undefined if the name contains no range
 * @throws InvalidRangeError for ranges of different lengths, and for invalid ones
 */
export function expandRanges<T extends Readonly<Record<string, unknown>>>(
  name: string,
  members: T,
): readonly { readonly name: string; readonly members: T }[] | undefined {
  const length = lengthOf(name);
  if (length === undefined) return undefined;
  const others = Object.values(members)
    .flat()
    .flatMap((value) => (typeof value === 'string' ? (lengthOf(value) ?? []) : []));
  const different = others.find((one) => one !== length);
  if (different !== undefined)
    throw new InvalidRangeError(
      `The ranges have different lengths: ${String(length)} in the name, ${String(different)} in another value.`,
    );
  return Array.from({ length }, (_, at) => ({
    name: itemOf(name, at),
    members: Object.fromEntries(
      Object.entries(members).map(([member, value]) => [member, expandValue(value, at)]),
    ) as T,
  }));
}

/** The length of the ranges in a text; undefined without ranges. @throws InvalidRangeError */
function lengthOf(text: string): number | undefined {
  const lengths = [...text.matchAll(RANGE)].map(([range, first = '', last = '']) => {
    if (typeOf(first) !== typeOf(last))
      throw new InvalidRangeError(
        `Invalid range ${range}: it needs two numbers, two lower-case letters or two upper-case letters.`,
      );
    const length = positionOf(last) - positionOf(first) + 1;
    if (length >= 1 && length <= MAX_RANGE_LENGTH) return length;
    throw new InvalidRangeError(
      length < 1
        ? `Invalid range ${range}: it ends before it begins.`
        : `Invalid range ${range}: it has more than ${String(MAX_RANGE_LENGTH)} items.`,
    );
  });
  const [length] = lengths;
  if (lengths.some((one) => one !== length))
    throw new InvalidRangeError(`The ranges in ${JSON.stringify(text)} have different lengths.`);
  return length;
}

const isNumber = (bound: string): boolean => /^\d/.test(bound);

/** The type of a bound of a range. */
function typeOf(bound: string): 'number' | 'upper case' | 'lower case' {
  if (isNumber(bound)) return 'number';
  return bound === bound.toUpperCase() ? 'upper case' : 'lower case';
}

const positionOf = (bound: string): number => (isNumber(bound) ? Number(bound) : bound.charCodeAt(0));

function expandValue(value: unknown, at: number): unknown {
  if (typeof value === 'string') return itemOf(value, at);
  return Array.isArray(value) ? value.map((one: unknown) => expandValue(one, at)) : value;
}

/** The text for one item: `web-{08..12}` becomes `web-08`, `web-09` … */
const itemOf = (text: string, at: number): string =>
  text.replace(RANGE, (_, first: string) =>
    isNumber(first)
      ? String(Number(first) + at).padStart(first.length, '0')
      : String.fromCharCode(first.charCodeAt(0) + at),
  );
