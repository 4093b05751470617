/** The id of a resource, which is known only when the request is sent. */
export class Reference {
  constructor(
    /** For example `hosts`, or `any`. */
    readonly collection: string,
    readonly whose: 'own' | 'foreign' | 'absent',
    readonly index: number,
  ) {}
}

/** Raw JSON text, such as a number with all its digits, or invalid JSON. */
export class Raw {
  constructor(readonly text: string) {}
}

/** An object as ordered members, which may have duplicate names. */
export class Members {
  constructor(readonly pairs: readonly (readonly [string, Json])[]) {}
}

/** JSON that is not yet serialized. JavaScript objects can hold neither all digits nor duplicate keys. */
export type Json = null | boolean | string | Raw | Reference | Members | readonly Json[];

/** Returns the id of a reference. */
export type Resolve = (reference: Reference) => string | number;

export function jsonText(json: Json, resolve: Resolve): string {
  if (json instanceof Raw) return json.text;
  if (json instanceof Reference) return JSON.stringify(resolve(json));
  if (json instanceof Members) {
    const members = json.pairs.map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value, resolve)}`);
    return `{${members.join(',')}}`;
  }
  if (isList(json)) return `[${json.map((item) => jsonText(item, resolve)).join(',')}]`;
  return JSON.stringify(json);
}

/** A value percent-encoded for a path or query, unless it is already encoded. */
export function percentEncoded(json: Json, resolve: Resolve): string {
  if (json instanceof Raw) return json.text;
  const text = typeof json === 'string' ? json : jsonText(json, resolve).replaceAll('"', '');
  // A lone surrogate has no encoding. Send the bytes that a careless client would send.
  return text
    .split(/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part, i) => (i % 2 === 0 ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('');
}

export const isList = (json: Json): json is readonly Json[] => Array.isArray(json);

/** The number of values in it, including itself. */
export function sizeOf(json: Json): number {
  if (json instanceof Members) return 1 + json.pairs.reduce((sum, [, value]) => sum + sizeOf(value), 0);
  if (isList(json)) return 1 + json.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  return 1;
}

/** A copy with the value at an index altered. Index 0 is the value itself. */
export function altered(json: Json, at: number, alter: (value: Json) => Json): Json {
  if (at === 0) return alter(json);
  let left = at - 1;
  const within = (value: Json): Json => {
    const size = sizeOf(value);
    const changed = left >= 0 && left < size ? altered(value, left, alter) : value;
    left -= size;
    return changed;
  };
  if (json instanceof Members) return new Members(json.pairs.map(([key, value]) => [key, within(value)]));
  if (isList(json)) return json.map(within);
  return json;
}

/** A JavaScript value as unserialized JSON. */
export function treeOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return new Raw(String(value));
  if (Array.isArray(value)) return value.map(treeOf);
  return new Members(Object.entries(value).map(([key, member]) => [key, treeOf(member)]));
}
