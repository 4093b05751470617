import { isLosslessNumber, parse, stringify } from 'lossless-json';

/** JSON whose numbers keep every digit: `9007199254740993` and `1.10` are printed as they were received. */
export const exactJson = {
  parse: (text: string): unknown => parse(text),
  stringify: (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null',
};

export { isLosslessNumber };

/** Parses JSON with exact numbers. @returns undefined if the text is not JSON */
export function tryParseJson(text: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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
export const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`;

/**
 * JSON that is equal for equal values: members are sorted, and numbers are written as PostgreSQL stores them, with
 * every digit and without exponents. `1.0` and `1` differ, as they do in Muster.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'number' || isLosslessNumber(value)) return plainNumber(String(value));
  const members = toMembers(value);
  if (!members) return exactJson.stringify(value);
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The service rejects numbers with more digits, so expanding them would only take memory. */
const MAX_EXPONENT = 10_000;

/** A JSON number without an exponent. Zero has no sign. */
function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = JSON_NUMBER.exec(text) ?? [];
  const exponent = Number(exponentText);
  if (whole === '' || Math.abs(exponent) > MAX_EXPONENT) return text;
  const scale = Math.max(0, fraction.length - exponent);
  // The digits without a point, with at least one in front of it.
  const digits = `${whole}${fraction}${'0'.repeat(Math.max(0, exponent - fraction.length))}`
    .replace(/^0+/, '')
    .padStart(scale + 1, '0');
  const point = digits.length - scale;
  const plain = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return /[1-9]/.test(digits) ? `${sign}${plain}` : plain;
}
