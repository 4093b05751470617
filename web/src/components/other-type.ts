import { parseConditions, parseWhere, valueOfOtherType } from '@muster/api-types';
import type { VariableFilter } from './variable-filters';

/**
 * The same filter with a text instead of a number, or the reverse: `kernel < "6.12"` for `kernel < 6.12`. Undefined if it has
 * no such form.
 * @param filter a single one that the service has accepted
 */
export function withOtherType({ parameter, text }: VariableFilter): VariableFilter | undefined {
  if (parameter === 'vars') {
    for (const { path, value } of parseConditions(text)) {
      const other = valueOfOtherType(value);
      if (other !== undefined) return { parameter, text: `${path}:${other}` };
    }
    return undefined;
  }
  const { path = '', operator = '', value = '' } = parseWhere(text) ?? {};
  const other = valueOfOtherType(value, operator);
  return other === undefined ? undefined : { parameter, text: `${path} ${operator} ${other}` };
}
