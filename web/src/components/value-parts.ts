import { isScalar, jsonText } from '../api/exact-json';
import { pathStep, typeOf, type ValueType } from './where-condition';

/** A part of the values of a variable: the whole value, or what a path leads to. */
export interface ValuePart {
  /** With the key, in the syntax of filters. */
  readonly path: string;
  /** The type that the most devices have comes first. */
  readonly types: ReadonlySet<ValueType>;
  /** The scalars that were found, as JSON text, each with the number of devices. */
  readonly scalars: ReadonlyMap<string, number>;
}

interface FoundPart {
  readonly path: string;
  /** With the number of devices. */
  readonly types: Map<ValueType, number>;
  readonly scalars: Map<string, number>;
}

/** All parts of the values of a variable: the whole value first, then members, each after the part that contains it. */
export function partsOfValues(
  key: string,
  values: readonly { readonly value: unknown; readonly devices: number }[],
): readonly ValuePart[] {
  const parts = new Map<string, FoundPart>();
  for (const { value, devices } of values) {
    const seen = new Set<string>();
    visit(pathStep(key), value, (path, part) => {
      const found: FoundPart = parts.get(path) ?? { path, types: new Map(), scalars: new Map() };
      parts.set(path, found);
      const type = typeOf(part);
      const typeAtPath = `${path} of ${type}`;
      if (!seen.has(typeAtPath)) found.types.set(type, (found.types.get(type) ?? 0) + devices);
      seen.add(typeAtPath);
      if (!isScalar(part)) return;
      const text = jsonText(part);
      // A list may contain a value twice; its device is one.
      const scalar = `${path} ${text}`;
      if (!seen.has(scalar)) found.scalars.set(text, (found.scalars.get(text) ?? 0) + devices);
      seen.add(scalar);
    });
  }
  return [...parts.values()].map(({ types, ...part }) => ({ ...part, types: byFrequency(types) }));
}

const byFrequency = (types: ReadonlyMap<ValueType, number>): ReadonlySet<ValueType> =>
  new Set([...types].sort(([, a], [, b]) => b - a).map(([type]) => type));

/**
 * Calls back for a value and all its parts. Elements of an array that are scalars have the path of the array, with which a filter
 * compares them, and elements that are documents have the path of any element. An array within an array has no path.
 */
function visit(path: string, value: unknown, found: (path: string, part: unknown) => void): void {
  found(path, value);
  if (isScalar(value) || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value))
    for (const element of value.filter((one) => !Array.isArray(one)))
      if (isScalar(element)) found(path, element);
      else visitMembers(`${path}[*]`, element as object, found);
  else visitMembers(path, value, found);
}

function visitMembers(path: string, document: object, found: (path: string, part: unknown) => void): void {
  for (const [member, part] of Object.entries(document)) visit(`${path}.${pathStep(member)}`, part, found);
}
