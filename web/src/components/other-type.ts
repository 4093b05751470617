import { parseWhere, valueOfOtherType } from '@muster/api-types';
import { jsonText, parseJson } from '../api/exact-json';
import type { VariableFilter } from './variable-filters';
import { typeOf } from './where-condition';

/**
 * The same filter with a text instead of a number, or the reverse: `kernel < "6.12"` for `kernel < 6.12`. Undefined if it has
 * no such form.
 * @param filter a condition of `where` that the service has accepted
 */
export function withOtherType({ text }: VariableFilter): VariableFilter | undefined {
  const { path = '', operator = '', value = '' } = parseWhere(text) ?? {};
  const other = valueOfOtherType(value, operator);
  return other === undefined ? undefined : { parameter: 'where', text: `${path} ${operator} ${other}` };
}

/** The operands of a condition: a scalar, those of a list, or none. */
export function operandsOf({ text }: VariableFilter): readonly unknown[] {
  const { value = '' } = parseWhere(text) ?? {};
  return value === '' ? [] : [parseJson(value)].flat();
}

/**
 * What a filter and its other form compare with: `the number 6.12 and the text "6.12"`. Of a list, it is the first value that has
 * another type in the other form.
 */
export function differingValues(filter: VariableFilter, other: VariableFilter): string {
  const [values, others] = [operandsOf(filter), operandsOf(other)];
  const at = values.findIndex((value, i) => typeOf(value) !== typeOf(others[i]));
  return `${withType(values[at])} and ${withType(others[at])}`;
}

/** `the number 6.12`, `null` */
const withType = (value: unknown): string =>
  value === null ? 'null' : `the ${typeOf(value)} ${jsonText(value)}`;
