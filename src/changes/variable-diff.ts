import { membersOf, type DocumentMembers } from '../core/json/json-document';

/** What happened to one variable: JSON texts; undefined where the key is not set. */
export interface VariableChange {
  /** The key as a JSON string. */
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const EMPTY_DOCUMENT = '{}';

/** Compares two documents key by key. Values are compared as the texts that PostgreSQL prints, unparsed. */
export function variableChanges(before = EMPTY_DOCUMENT, after = EMPTY_DOCUMENT): VariableChange[] {
  return before === after ? [] : memberChanges(membersOf(before), membersOf(after));
}

/** The same, of documents that are split already. */
export function memberChanges(old: DocumentMembers, now: DocumentMembers): VariableChange[] {
  if (old === now) return [];
  const changes: VariableChange[] = [];
  for (const [key, value] of now)
    if (old.get(key) !== value) changes.push({ key, before: old.get(key), after: value });
  for (const [key, value] of old) if (!now.has(key)) changes.push({ key, before: value, after: undefined });
  return changes;
}

/** Both sides of every changed variable, as the JSON text that a change record holds. */
export function diffText(changes: readonly VariableChange[]): string {
  const members = changes.map(({ key, before, after }) => {
    const sides = [
      ...(before === undefined ? [] : [`"before": ${before}`]),
      ...(after === undefined ? [] : [`"after": ${after}`]),
    ];
    return `${key}: {${sides.join(', ')}}`;
  });
  return `{${members.join(', ')}}`;
}
