import { isScalar, jsonText } from '../api/exact-json';
import { pathStep, typeOf, type ValueType } from './where-condition';

/** What is different in one place of a value; a side is absent where there is nothing. */
export interface Difference {
  /** The members that lead to it: `hardware.model`, `disks[0].size`. Empty for the elements of the value itself. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether it is an element of a list, or a line of a text: those have no path of their own. */
  readonly isElement: boolean;
}

/** How two values differ. */
export type ValueDifference =
  /** Nothing is common to both. */
  | { readonly kind: 'whole' }
  /** Two short texts in one line: what they have in common at both ends. */
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  /** Two documents, lists or texts of several lines. */
  | { readonly kind: 'parts'; readonly parts: readonly Difference[]; readonly same: number }
  /** Two lists with the same elements. */
  | { readonly kind: 'order' };

/** Shorter texts are not compared: "80" and "443" have nothing in common that matters. */
const MIN_COMMON = 3;
/** Values with more differences are shown whole. */
const MAX_PARTS = 50;

/** The types that are easily mistaken for each other: 4, "4"; true, "true". */
const SCALAR_TYPES: ReadonlySet<ValueType> = new Set<ValueType>(['text', 'number', 'boolean']);

/** In words, that a text, number or boolean replaces one of another type: `a number replaces a text`. */
export function typeChange(before: unknown, after: unknown): string | undefined {
  const [old, now] = [typeOf(before), typeOf(after)];
  return old !== now && SCALAR_TYPES.has(old) && SCALAR_TYPES.has(now)
    ? `a ${now} replaces a ${old}`
    : undefined;
}

/** Finds the smallest parts in which two values differ. */
export function differenceOf(before: unknown, after: unknown): ValueDifference {
  if (typeof before === 'string' && typeof after === 'string') return textDifference(before, after);
  if (isScalar(before) || isScalar(after) || Array.isArray(before) !== Array.isArray(after))
    return { kind: 'whole' };
  const found = { parts: [] as Difference[], same: 0 };
  compare('', before, after, found);
  const { parts, same } = found;
  if (parts.length === 0) return { kind: 'order' };
  return same === 0 || parts.length > MAX_PARTS ? { kind: 'whole' } : { kind: 'parts', parts, same };
}

interface Found {
  readonly parts: Difference[];
  /** The number of members and elements that are equal. */
  same: number;
}

function compare(path: string, before: unknown, after: unknown, found: Found): void {
  if (jsonText(before) === jsonText(after)) found.same++;
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, found);
  else if (isDocument(before) && isDocument(after)) compareDocuments(path, before, after, found);
  else found.parts.push({ path, before, after, isElement: false });
}

const isDocument = (value: unknown): value is Readonly<Record<string, unknown>> =>
  !isScalar(value) && !Array.isArray(value);

function compareDocuments(
  path: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  found: Found,
): void {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const member = path === '' ? pathStep(name) : `${path}.${pathStep(name)}`;
    if (old.has(name) && now.has(name)) compare(member, old.get(name), now.get(name), found);
    else
      found.parts.push({
        path: member,
        isElement: false,
        ...(old.has(name) ? { before: old.get(name) } : { after: now.get(name) }),
      });
  }
}

/** Documents at the same places of lists of the same length are compared; of other lists, elements are added and removed. */
function compareLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  found: Found,
): void {
  if (before.length === after.length && [...before, ...after].every(isDocument)) {
    for (const [i, element] of before.entries()) compare(`${path}[${i}]`, element, after[i], found);
    return;
  }
  compareElements(path, before, after, found);
}

function compareElements(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  found: Found,
): void {
  const counts = new Map<string, number>();
  for (const element of after) counts.set(jsonText(element), (counts.get(jsonText(element)) ?? 0) + 1);
  /** Of each text, how many are in both. */
  const common = new Map<string, number>();
  for (const element of before) {
    const text = jsonText(element);
    const left = counts.get(text) ?? 0;
    if (left === 0) found.parts.push({ path, before: element, isElement: true });
    else {
      counts.set(text, left - 1);
      common.set(text, (common.get(text) ?? 0) + 1);
      found.same++;
    }
  }
  for (const element of after) {
    const text = jsonText(element);
    const left = common.get(text) ?? 0;
    if (left === 0) found.parts.push({ path, after: element, isElement: true });
    else common.set(text, left - 1);
  }
}

function textDifference(before: string, after: string): ValueDifference {
  if (before.includes('\n') && after.includes('\n')) {
    const found: Found = { parts: [], same: 0 };
    compareElements('', before.split('\n'), after.split('\n'), found);
    const { parts, same } = found;
    if (parts.length > 0 && same > 0 && parts.length <= MAX_PARTS) return { kind: 'parts', parts, same };
    return { kind: 'whole' };
  }
  const [old, now] = [Array.from(before), Array.from(after)];
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return start + end < MIN_COMMON ? { kind: 'whole' } : { kind: 'text', start, end };
}
