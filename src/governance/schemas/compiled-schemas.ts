import type { ValidateFunction } from 'ajv';

/** Schemas that were found right, and not asked for since: as many as may be accepted before the first of them is. */
const MOST_KEPT = 20;

/** By their texts as the database prints them, spaces apart. */
const kept = new Map<string, ValidateFunction>();

/**
 * Keeps what was compiled to see whether a schema is right, for the first value that is held against it.
 * @param text of `storedText`
 */
export function keepAccepted(text: string, validate: ValidateFunction): void {
  kept.delete(text);
  kept.set(text, validate);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

/** What was kept of a schema; whoever takes it looks after it from then on. */
export function takeAccepted(text: string): ValidateFunction | undefined {
  const validate = kept.get(text);
  kept.delete(text);
  return validate;
}

/**
 * A schema's text with its members in the order in which the database keeps them: the order in which faults are found
 * is that of members, and must not depend on who compiled the schema.
 */
export function storedText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema);
  if (Array.isArray(schema)) return `[${schema.map(storedText).join(',')}]`;
  const entries: [string, unknown][] = Object.entries(schema);
  const members = entries.map(([name, value]) => ({ name: Buffer.from(name), value }));
  members.sort((a, b) => a.name.length - b.name.length || Buffer.compare(a.name, b.name));
  return `{${members.map(({ name, value }) => `${JSON.stringify(name.toString())}:${storedText(value)}`).join(',')}}`;
}
