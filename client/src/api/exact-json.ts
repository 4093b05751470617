import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** JSON whose numbers keep every digit: `9007199254740993` and `1.10` are printed as they came. */
export const exactJson = {
  parse: (text: string): unknown => parse(text),
  stringify: (value: unknown, indent?: number): string => stringify(value, undefined, indent) ?? 'null',
};

export { isLosslessNumber, LosslessNumber };

/** A number of an answer as JavaScript has it: for ids, counts and versions, which are all safe integers. */
export const plainNumber = (value: unknown): number =>
  isLosslessNumber(value) ? Number(value.toString()) : Number(value);

/** An answer's object. @throws TypeError where it is none: then it is not of this API */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value))
    return value as Readonly<Record<string, unknown>>;
  throw new TypeError('the server answered with something else than an object');
}
