import { usageError } from '../../cli-error';
import type { OptionValues } from './member-flags';

/** The maximum number of items in a range: the maximum of one request of the API. */
const MAX_RANGE_LENGTH = 1000;
const RANGE = /\{(\d{1,15})\.\.(\d{1,15})\}/g;

/**
 * Expands ranges such as `{1..12}` or `{01..12}` in a name, and in step with it in the options.
 * @returns the name and the options of each item; undefined if the name contains no range
 * @throws CliError for ranges of different lengths, and for invalid ones
 */
export function expandRanges<T extends OptionValues>(
  name: string,
  options: T,
): readonly { readonly name: string; readonly options: T }[] | undefined {
  const length = lengthOf(name);
  if (length === undefined) return undefined;
  const others = Object.values(options)
    .flat()
    .flatMap((value) => (typeof value === 'string' ? (lengthOf(value) ?? []) : []));
  const different = others.find((one) => one !== length);
  if (different !== undefined)
    throw usageError(
      `The ranges have different lengths: ${String(length)} in the name, ${String(different)} in an option.`,
    );
  return Array.from({ length }, (_, at) => ({
    name: itemOf(name, at),
    options: Object.fromEntries(
      Object.entries(options).map(([option, value]) => [option, expandValue(value, at)]),
    ) as T,
  }));
}

/** The length of the ranges in a text; undefined without ranges. @throws CliError */
function lengthOf(text: string): number | undefined {
  const lengths = [...text.matchAll(RANGE)].map(([range, first, last]) => {
    const length = Number(last) - Number(first) + 1;
    if (length >= 1 && length <= MAX_RANGE_LENGTH) return length;
    throw usageError(
      length < 1
        ? `Invalid range ${range}: it ends before it begins.`
        : `Invalid range ${range}: it has more than ${String(MAX_RANGE_LENGTH)} items.`,
    );
  });
  const [length] = lengths;
  if (lengths.some((one) => one !== length))
    throw usageError(`The ranges in ${JSON.stringify(text)} have different lengths.`);
  return length;
}

function expandValue(value: unknown, at: number): unknown {
  if (typeof value === 'string') return itemOf(value, at);
  return Array.isArray(value) ? value.map((one: unknown) => expandValue(one, at)) : value;
}

/** The text for one item: `web-{08..12}` becomes `web-08`, `web-09` … */
const itemOf = (text: string, at: number): string =>
  text.replace(RANGE, (_, first: string) => String(Number(first) + at).padStart(first.length, '0'));
