import { exactJson, isLosslessNumber, toMembers } from './exact-json';

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
