import { parseWhere, valueOfOtherType } from '@muster/api-types';
import type { VariableFilter } from './variable-filters';

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
