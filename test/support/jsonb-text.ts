/** A JSON value with numbers as text, because JavaScript numbers lose digits. */
export type Json =
  | null
  | boolean
  | string
  | { readonly number: string }
  | readonly Json[]
  | ReadonlyMap<string, Json>;

/** JSON text with PostgreSQL's spacing of `jsonb`. */
export function jsonbText(json: Json): string {
  if (json instanceof Map)
    return `{${[...(json as ReadonlyMap<string, Json>)].map(([key, member]) => `${JSON.stringify(key)}: ${jsonbText(member)}`).join(', ')}}`;
  if (Array.isArray(json)) return `[${(json as readonly Json[]).map(jsonbText).join(', ')}]`;
  if (typeof json === 'object' && json !== null && 'number' in json) return json.number;
  return JSON.stringify(json);
}
