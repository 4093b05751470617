import type { ValidateFunction } from 'ajv';

/** Limit on accepted schemas that no value has been validated against yet. */
const MAX_ACCEPTED = 20;

/** Compiled schemas by their canonical text. */
const accepted = new Map<string, ValidateFunction>();

/**
 * Caches the function that was compiled to check a schema, so that the first value does not compile it again.
 * @param text from `canonicalSchemaText`
 */
export function keepAccepted(text: string, validate: ValidateFunction): void {
  accepted.delete(text);
  accepted.set(text, validate);
  for (const oldest of accepted.keys()) {
    if (accepted.size <= MAX_ACCEPTED) break;
    accepted.delete(oldest);
  }
}

/** Removes the compiled function of an accepted schema from the cache and returns it. */
export function takeAccepted(text: string): ValidateFunction | undefined {
  const validate = accepted.get(text);
  accepted.delete(text);
  return validate;
}

/**
 * A schema as text, with its members in the order of PostgreSQL's `jsonb`. Ajv reports violations in the order of the
 * members, so that order must be the same before and after the schema is stored.
 */
export function storedText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema);
  if (Array.isArray(schema)) return `[${schema.map(storedText).join(',')}]`;
  const entries: [string, unknown][] = Object.entries(schema);
  const members = entries.map(([name, value]) => ({ name: Buffer.from(name), value }));
  members.sort((a, b) => a.name.length - b.name.length || Buffer.compare(a.name, b.name));
  return `{${members.map(({ name, value }) => `${JSON.stringify(name.toString())}:${storedText(value)}`).join(',')}}`;
}
