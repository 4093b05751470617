import { parseWhere } from '@muster/api-types';
import { jsonText } from '../api/exact-json';
import { counted } from './counted';
import { operandsOf, withOtherType } from './other-type';
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
const PLURALS: Readonly<Record<ValueType, string>> = {
  text: 'texts',
  number: 'numbers',
  boolean: 'booleans',
  null: 'null',
  array: 'lists',
  object: 'documents',
};

/** Whether a part of the values has one of the types of the operands of a condition. */
export const hasTypeOf = ({ types }: ValuePart, filter: VariableFilter): boolean =>
  operandsOf(filter).some((operand) => types.has(typeOf(operand)));

/** As in "The values are texts and numbers". */
export const typesText = (types: Iterable<ValueType>): string =>
  [...new Set(types)].map((type) => PLURALS[type]).join(' and ');

/** Values that a condition cannot find, because they have another type than its operands. */
export interface MissedValues {
  /** As in "2 devices have texts in kernel, which this cannot find". */
  readonly text: string;
  /** The same filter for values of their type, of which it may find none; undefined if it cannot be written with this type. */
  readonly other: { readonly filter: VariableFilter; readonly types: string } | undefined;
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
  const { key = '', path = '', operator = '!=' } = parseWhere(filter.text) ?? {};
  if (operator === '!=') return undefined;
  const other = withOtherType(filter);
  const others = other ? operandsOf(other) : [];
  const equals = others.map((operand) => jsonText(operand));
  const [operand] = operandsOf(filter);
  const otherType: ValueType = typeof operand === 'string' ? 'number' : 'text';
  const isMissed = ({ types, scalars }: ValuePart): boolean =>
    operator === '=' || operator === 'in' ? equals.some((one) => scalars.has(one)) : types.has(otherType);
  const found = values.flatMap(({ value: known, devices }) => {
    const part = partsOfValues(key, [{ value: known, devices }]).find((one) => one.path === path);
    return part ? [{ part, devices, isMatching: hasTypeOf(part, filter) }] : [];
  });
  const missed = found.filter(({ part, isMatching }) => !isMatching && isMissed(part));
  const devices = missed.reduce((sum, one) => sum + one.devices, 0);
  if (devices === 0 || !found.some(({ isMatching }) => isMatching)) return undefined;
  const types = typesText(missed.flatMap(({ part }) => [...part.types]));
  const count = `${distinct > values.length ? 'At least ' : ''}${counted(devices, 'device has', 'devices have')}`;
  return {
    text: `${count} ${types} in ${path}, which this cannot find`,
    other: other && { filter: other, types: typesText(others.map(typeOf)) },
  };
}
