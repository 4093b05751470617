import { parseWhere } from '@muster/api-types';
import { jsonText } from '../api/exact-json';
import { counted } from './counted';
import { withOtherType } from './other-type';
import { partsOfValues, type ValuePart } from './value-parts';
import type { VariableFilter } from './variable-filters';
import { typeOf, type ValueType } from './where-condition';

/** The most frequent values of a variable, as the API counts them. */
export interface KnownValues {
  /** Of how many values these are the most frequent ones. */
  readonly distinct: number;
  readonly values: readonly { readonly value: unknown; readonly devices: number }[];
}

/** As in "the values are texts". */
export const PLURALS: Readonly<Record<ValueType, string>> = {
  text: 'texts',
  number: 'numbers',
  boolean: 'booleans',
  null: 'null',
  array: 'lists',
  object: 'documents',
};

/** The operands of a condition: a scalar, or those of a list. @param json absent: none */
const parseOperands = (json = '[]'): readonly unknown[] => [JSON.parse(json) as unknown].flat();

/** Whether a part of the values has one of the types of operands. @param json as in a condition */
export const hasTypeOf = ({ types }: ValuePart, json: string): boolean =>
  parseOperands(json).some((operand) => types.has(typeOf(operand)));

/** Values that a condition cannot find, because they have another type than its operands. */
export interface MissedValues {
  /** As in "2 devices have texts in kernel, which this cannot find". */
  readonly text: string;
  /** The filter that finds them; undefined if it cannot be written with their type. */
  readonly other: VariableFilter | undefined;
}

/**
 * The values that a valid condition cannot find because of their type, if it finds others. For comparisons, `^=` and `~=`: values of
 * the other type. For `=` and `in`: values equal except for their type.
 * @returns undefined if there are none among the known values
 */
export function typeMismatch(
  filter: VariableFilter,
  { distinct, values }: KnownValues,
): MissedValues | undefined {
  const { key = '', path = '', operator = '!=', value = '[]' } = parseWhere(filter.text) ?? {};
  if (operator === '!=') return undefined;
  const other = withOtherType(filter);
  const equals = parseOperands(other && parseWhere(other.text)?.value).map((operand) => jsonText(operand));
  const [operand] = parseOperands(value);
  const otherType: ValueType = typeof operand === 'string' ? 'number' : 'text';
  const isMissed = ({ types, scalars }: ValuePart): boolean =>
    operator === '=' || operator === 'in' ? equals.some((one) => scalars.has(one)) : types.has(otherType);
  const found = values.flatMap(({ value: known, devices }) => {
    const part = partsOfValues(key, [{ value: known, devices }]).find((one) => one.path === path);
    return part ? [{ part, devices, isMatching: hasTypeOf(part, value) }] : [];
  });
  const missed = found.filter(({ part, isMatching }) => !isMatching && isMissed(part));
  const devices = missed.reduce((sum, one) => sum + one.devices, 0);
  if (devices === 0 || !found.some(({ isMatching }) => isMatching)) return undefined;
  const types = new Set(missed.flatMap(({ part }) => [...part.types]));
  const names = [...types].map((type) => PLURALS[type]).join(' and ');
  const count = `${distinct > values.length ? 'At least ' : ''}${counted(devices, 'device has', 'devices have')}`;
  return { text: `${count} ${names} in ${path}, which this cannot find`, other };
}
