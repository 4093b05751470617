import { isLosslessNumber, toMembers } from '../../../api/exact-json';

/** The members of an object in NetBox's answers. */
export type Members = Readonly<Record<string, unknown>>;

/** A reference to another object. */
export interface Reference {
  readonly id: string;
  readonly name: string;
  /** Empty for objects without one. */
  readonly slug: string;
}

/** An id as text. */
export const idOf = (value: unknown): string =>
  typeof value === 'number' || isLosslessNumber(value) ? String(value) : '';

/** A text; undefined for an empty one and other values. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value of a choice, such as a status: `{ value, label }`. */
export const choiceOf = (value: unknown): string | undefined => textOf(objectOf(value)?.['value']);

/** An object; undefined for other values. */
export const objectOf = (value: unknown): Members | undefined =>
  toMembers(value) ? (value as Members) : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A nested object as a reference; undefined if there is none. */
export function referenceOf(value: unknown): Reference | undefined {
  const object = objectOf(value);
  if (!object) return undefined;
  const name = textOf(object['name']) ?? textOf(object['display']) ?? '';
  return { id: idOf(object['id']), name, slug: textOf(object['slug']) ?? '' };
}

/**
 * A value of a custom field or member as a variable: a choice becomes its value, and another object of NetBox its name.
 * Any other value stays as it is; undefined for a value that is not set.
 */
export function simplify(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => simplify(item) ?? null);
  const object = objectOf(value);
  if (!object) return value;
  if ('value' in object && 'label' in object && Object.keys(object).length === 2) return object['value'];
  const isReference = 'id' in object && 'url' in object && 'display' in object;
  return isReference ? (textOf(object['name']) ?? object['display']) : value;
}
