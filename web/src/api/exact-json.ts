/** A number that JavaScript would round. `JSON.stringify` writes its original digits. */
export interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    /** Missing in browsers before Chrome 114, Firefox 135 and Safari 18.4. */
    rawJSON?: (text: string) => RawJson;
    isRawJSON?(value: unknown): value is RawJson;
  }
}

/**
 * Parses JSON without losing digits: a number that is written differently than JavaScript would write it becomes a
 * `RawJson`. Older browsers round such numbers.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const { rawJSON } = JSON;
  if (!rawJSON) {
    const value: unknown = JSON.parse(text);
    return value;
  }
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}

/** Writes a value with all digits. @param indent the number of spaces per level, for reading */
export const jsonText = (value: unknown, indent?: number): string => JSON.stringify(value, undefined, indent);

/** Whether a value has no parts: a string, a number, a boolean or null. */
export const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || JSON.isRawJSON?.(value) === true;

/** Whether two values are the same JSON. The order of members does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (!hasParts(one) || !hasParts(other) || Array.isArray(one) !== Array.isArray(other))
    return jsonText(one) === jsonText(other);
  const [parts, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    parts.length === others.size &&
    parts.every(([name, part]) => others.has(name) && isSameJson(part, others.get(name)))
  );
}

const hasParts = (value: unknown): value is object => !isScalar(value);
