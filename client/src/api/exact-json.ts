import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** JSON whose numbers keep every digit: `9007199254740993` and `1.10` are printed as they were received. */
export const exactJson = {
  parse: (text: string): unknown => parse(text),
  stringify: (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null',
};

export { isLosslessNumber, LosslessNumber };

/** A number of a response as a JavaScript number: for ids, counts and versions, which are all safe integers. */
export const toNumber = (value: unknown): number =>
  isLosslessNumber(value) ? Number(value.toString()) : Number(value);

/** A value of a response as an object. @throws TypeError for any other value */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value))
    return value as Readonly<Record<string, unknown>>;
  throw new TypeError('the response of the server is not an object');
}

/** The members of a JSON object; undefined for any other value. */
export const toMembers = (value: unknown): Map<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
    ? new Map(Object.entries(value))
    : undefined;

/** The type of a JSON value in words. A string is a text. */
export type JsonType = 'text' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' || isLosslessNumber(value) ? 'number' : 'object';
}

/** `a number`, `an array`, `null`. */
export const withArticle = (type: JsonType): string =>
  type === 'null' ? type : `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`;
