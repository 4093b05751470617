import { parseWhere } from '@muster/api-types';
import { InventoryError } from '../../../src/core/errors';
import { parseVariableFilters } from '../../../src/variables/filter/filter-parameters';
import { isAddressOrNetwork } from './ip-address';
import type { ListSearch } from './list-search';
import { hasTypeOf, typeMismatch, typesText, type KnownValues } from './missed-values';
import { withOtherType } from './other-type';
import { partsOfValues } from './value-parts';
import type { VariableFilter } from './variable-filters';

/**
 * What is wrong with filters. Those by variables are parsed by the parser of the service itself, in the browser.
 * @returns undefined if the service accepts them
 */
export function problemOf({ vars, where = [], ip, label, without_label }: ListSearch): string | undefined {
  if (ip !== undefined && !isAddressOrNetwork(ip)) return 'must be an IP address or a network';
  if ([label, without_label].flat().some((name) => name?.includes(',')))
    return 'must be the name of one label, without ",". Add each label by itself.';
  try {
    parseVariableFilters(
      new Map([
        ['vars', vars === undefined ? [] : [vars]],
        ['where', where],
      ]),
    );
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError) return error.message;
    throw error;
  }
}

/** The variable that a right condition compares; undefined if it compares none. */
export const comparedKey = ({ text }: VariableFilter): string | undefined => parseWhere(text)?.key;

/**
 * What a right condition cannot find as it is written: anything, because no device has the variable, or all have values of another
 * type; or the values of some devices, because of their type.
 * @returns undefined if there is nothing to say
 */
export function typeHint(filter: VariableFilter, known: KnownValues): string | undefined {
  const { distinct, values } = known;
  const condition = parseWhere(filter.text);
  if (!condition) return undefined;
  const { key, path, operator } = condition;
  if (distinct === 0) return `No device has a value of ${key}.`;
  const part = partsOfValues(key, values).find((one) => one.path === path);
  if (operator === undefined || operator === '!=' || !part) return undefined;
  if (hasTypeOf(part, filter)) {
    const { text, other } = typeMismatch(filter, known) ?? {};
    return other ? `${text}; for ${other.types}, write ${other.filter.text}` : text;
  }
  const other = withOtherType(filter);
  if (!other || !hasTypeOf(part, other)) return undefined;
  return `The values are ${typesText(part.types)}: write ${other.text}`;
}
