import type { ResourceMapping } from '../database/resource-mapping';

/** The names of operations: they begin with a letter, so that they cannot be taken for ids. */
export const NAME = '[A-Za-z][A-Za-z0-9_-]{0,63}';

/**
 * A reference in the text of a valid JSON body, with the member whose value it is. Within a string, its first quote would
 * have a backslash, so it matches only objects. Other objects with `$ref`, such as those of JSON Schemas, contain other
 * characters.
 */
const IN_BODY = new RegExp(`(?:"(\\w+)"\\s*:\\s*)?\\{\\s*"\\$ref"\\s*:\\s*"(${NAME})\\.id"\\s*\\}`, 'g');

/** A reference that is a whole segment of a path, or a whole value of its query, with the word before it. */
const IN_PATH = new RegExp(`([\\w-]+)[/=]\\{(${NAME})\\.id\\}(?=[/?&]|$)`, 'g');

/** The tables of the resources to which members and filters refer. */
const TABLES = new Map([
  ['region_id', 'regions'],
  ['cell_id', 'cells'],
  ['cloud_id', 'clouds'],
  ['parent_id', 'devices'],
]);

/** The table of the resources to which a member of a body refers; undefined if it is no reference. */
export const referencedTable = (member: string): string | undefined => TABLES.get(member);

/** The parts of an operation that can contain references. */
export interface Referring {
  readonly path: string;
  /** JSON text; undefined: no body. */
  readonly body: string | undefined;
}

export interface Reference {
  readonly field: 'path' | 'body';
  /** The name of the operation that creates the resource. */
  readonly name: string;
  /** The collection in a path, or the member or filter, that takes the id; undefined: in an array, for example. */
  readonly usedAs: string | undefined;
}

/** The references of an operation. */
export function referencesIn({ path, body = '' }: Referring): Reference[] {
  const referencesOf = (field: Reference['field'], text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, usedAs, name = '']) => ({ field, name, usedAs }));
  return [...referencesOf('path', path, IN_PATH), ...referencesOf('body', body, IN_BODY)];
}

/** Whether a path, without its query, has a brace that belongs to no reference. */
export const hasOtherBraces = (path: string): boolean =>
  /[{}]/.test((path.split('?')[0] ?? '').replaceAll(IN_PATH, ''));

/** Whether the id of a resource of a kind can be used there: the ids of other kinds belong to other resources. */
export function isUsableAs({ collection, table }: ResourceMapping, { field, usedAs }: Reference): boolean {
  if (usedAs === undefined) return true;
  const expected = TABLES.get(usedAs);
  if (expected !== undefined) return expected === table;
  return field === 'body' || usedAs === collection;
}

/** Replaces references by ids. @param idOf returns the id of the resource that an operation creates */
export function replaceReferences({ path, body }: Referring, idOf: (name: string) => number): Referring {
  const replace = (text: string, pattern: RegExp, reference: RegExp) =>
    text.replace(pattern, (whole, _, name: string) => whole.replace(reference, String(idOf(name))));
  return {
    path: replace(path, IN_PATH, /\{[^{}]*\}$/),
    body: body === undefined ? undefined : replace(body, IN_BODY, /\{[^{}]*\}$/),
  };
}
