import { parseWhere } from '@muster/api-types';
import { InventoryError } from '../../../src/core/errors';
import { parseVariableFilters } from '../../../src/variables/filter/filter-parameters';
import { isAddressOrNetwork } from './ip-address';
import type { ListSearch } from './list-search';
import { withOtherType } from './other-type';
import { partsOfValues, type ValuePart } from './value-parts';
import type { VariableFilter } from './variable-filters';
import { typeOf, type ValueType } from './where-condition';

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

/** The most frequent values of a variable, as the API counts them. */
interface KnownValues {
  /** Of how many values these are the most frequent ones. */
  readonly distinct: number;
  readonly values: readonly { readonly value: unknown; readonly devices: number }[];
}

/**
 * Why a right condition matches nothing as it is written: no device has the variable, or all have values of another type.
 * @returns undefined if it may match
 */
export function typeHint(filter: VariableFilter, { distinct, values }: KnownValues): string | undefined {
  const condition = parseWhere(filter.text);
  if (!condition) return undefined;
  const { key, path, operator, value } = condition;
  if (distinct === 0) return `No device has a value of ${key}.`;
  const part = partsOfValues(key, values).find((one) => one.path === path);
  if (operator === undefined || operator === '!=' || !part) return undefined;
  const other = withOtherType(filter);
  if (!other || hasTypeOf(part, value) || !hasTypeOf(part, parseWhere(other.text)?.value)) return undefined;
  return `The values are ${[...part.types].map((type) => PLURALS[type]).join(' and ')}: write ${other.text}`;
}

/** Whether a part of the values has one of the types of operands, as JSON: a scalar, or a list of some. */
const hasTypeOf = ({ types }: ValuePart, operands = 'null'): boolean =>
  [JSON.parse(operands) as unknown].flat().some((operand) => types.has(typeOf(operand)));

const PLURALS: Readonly<Record<ValueType, string>> = {
  text: 'texts',
  number: 'numbers',
  boolean: 'booleans',
  null: 'null',
  array: 'lists',
  object: 'documents',
};
