import { isScalar, jsonText, parseJson } from '../api/exact-json';
import { isObject } from './is-object';
import { becomesJson } from './typed-text';

/** The operators of the parameter `where`, in the order in which they are offered. */
const OPERATORS = ['=', '!=', '^=', '~=', '<', '<=', '>', '>=', 'in', 'exists', 'missing'] as const;

export type Operator = (typeof OPERATORS)[number];

/** The types of JSON values. A text is a string. */
export type ValueType = 'text' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** What an operator compares with: nothing, one value, or several. */
export type Operands = 'none' | 'one' | 'several';

/** As in "kernel is at least". */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  '=': 'is',
  '!=': 'is not',
  '^=': 'begins with',
  '~=': 'contains',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
  in: 'is one of',
  exists: 'exists',
  missing: 'is missing',
};

/** What an operator means, where its words do not say it. @param types those of the compared values; empty if they are not known */
export function hintOf(operator: Operator, types: ReadonlySet<ValueType>): string {
  switch (operator) {
    case 'exists':
      return 'It is set. null is a value, too.';
    case 'missing':
      return 'It is not set.';
    case '!=':
      return types.has('array')
        ? 'It is set, and no element of a list is this.'
        : 'It is set, to another value.';
    default: {
      const hints = [
        ...(operator === '~=' ? ['Ignores case.'] : []),
        ...(/[<>]/.test(operator) && (types.size === 0 || types.has('text'))
          ? ['Digits in texts count by their value: 6.8 is less than 6.12.']
          : []),
        ...(types.has('array') ? ['One element of a list is enough.'] : []),
      ];
      return hints.join(' ');
    }
  }
}

export function operandsOf(operator: Operator): Operands {
  switch (operator) {
    case 'exists':
    case 'missing':
      return 'none';
    case 'in':
      return 'several';
    default:
      return 'one';
  }
}

/** The types of the operands of an operator. */
function operandTypes(operator: Operator): readonly ValueType[] {
  switch (operator) {
    case '^=':
    case '~=':
      return ['text'];
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ['text', 'number'];
    default:
      return ['text', 'number', 'boolean', 'null'];
  }
}

export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  // A number with more digits than JavaScript has is an object.
  return isScalar(value) ? 'number' : 'object';
}

/**
 * The operators that can match values of these types.
 * @param types empty if they are not known: then all operators
 */
export function operatorsFor(types: ReadonlySet<ValueType>): readonly Operator[] {
  if (types.size === 0) return OPERATORS;
  return OPERATORS.filter((operator) => {
    if (operandsOf(operator) === 'none') return true;
    // A list of the two booleans says nothing.
    if (operator === 'in') return types.has('text') || types.has('number');
    return operandTypes(operator).some((type) => types.has(type));
  });
}

/** An operand as it was typed: a value, or what is wrong with it. */
export type Operand = { readonly value: unknown } | { readonly problem: string };

/** What is known of the values that an operand is compared with. */
export interface ComparedValues {
  /** Their types, the most frequent one first; empty if they are not known. */
  readonly types: ReadonlySet<ValueType>;
  /** Scalars among them, as JSON text. */
  readonly scalars: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/**
 * Reads an operand as people type it: a text needs double quotes only where it could be something else. What could be a number
 * is a text if most values are texts, unless it is one of the numbers among them.
 */
export function parseOperand(text: string, operator: Operator, { types, scalars }: ComparedValues): Operand {
  const typed = text.trim();
  const comparable = operandTypes(operator);
  const allowed = types.size === 0 ? comparable : [...types].filter((type) => comparable.includes(type));
  const isText = allowed.includes('text') && !scalars.has(typed) && !becomesJson(typed);
  const parsed = isText ? undefined : parseScalar(typed);
  const type = parsed && typeOf(parsed.value);
  const isStray = type === 'number' && allowed[0] === 'text' && types.size > 0 && !scalars.has(typed);
  if (parsed && type && allowed.includes(type) && !isStray) return parsed;
  if (typed === '') return { problem: 'Enter a value.' };
  if (allowed.includes('text')) return { value: typed };
  return { problem: `Enter ${allowed.map((one) => EXAMPLES[one]).join(' or ')}.` };
}

const EXAMPLES: Readonly<Record<ValueType, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: '',
  object: '',
};

function parseScalar(text: string): { readonly value: unknown } | undefined {
  try {
    const value = parseJson(text);
    return isScalar(value) ? { value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A step of a path: the key of a member. */
export const pathStep = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : jsonText(key));

/** A condition in the syntax of the parameter `where`. @param path in that syntax, too */
export function formatCondition(path: string, operator: Operator, operands: readonly unknown[]): string {
  switch (operandsOf(operator)) {
    case 'none':
      return `${path} ${operator}`;
    case 'one':
      return `${path} ${operator} ${jsonText(operands[0])}`;
    case 'several':
      return `${path} ${operator} [${operands.map((operand) => jsonText(operand)).join(', ')}]`;
  }
}

/** A condition, or what is wrong with its operands. */
export type BuiltCondition = { readonly condition: string } | { readonly problem: string };

/**
 * Builds a condition of what was typed.
 * @param path in the syntax of filters
 * @param values those that the path leads to
 * @param texts the operands; those that the operator does not need do not matter
 */
export function buildCondition(
  path: string,
  operator: Operator,
  values: ComparedValues,
  texts: readonly string[],
): BuiltCondition {
  const needed = { none: [], one: [texts[0] ?? ''], several: texts.length === 0 ? [''] : texts };
  const operands = needed[operandsOf(operator)].map((text) => parseOperand(text, operator, values));
  const parsed: unknown[] = [];
  for (const operand of operands) {
    if ('problem' in operand) return operand;
    parsed.push(operand.value);
  }
  return { condition: formatCondition(path, operator, parsed) };
}

/** Conditions of one request, and as many filters of `vars`. */
export const MAX_CONDITIONS = 16;

/**
 * The conditions that select the devices that resolve a value. They compare scalars, so a document is compared part by part. A
 * list has as many elements; an object can have other members, too.
 * @param path a part of the value, in the syntax of filters
 * @returns undefined if no conditions express it: an empty document, an array within an array, or too many parts
 */
export function conditionsFor(key: string, value: unknown, path = ''): readonly string[] | undefined {
  const parts = scalarsOf(pathOf(key, path), value);
  const conditions = [
    ...parts.map(([name, scalar]) => formatCondition(name, '=', [scalar])),
    ...endsOf(pathOf(key, path), value).map((name) => formatCondition(name, 'missing', [])),
  ];
  if (parts.length === 0 || conditions.length > MAX_CONDITIONS) return undefined;
  // An element of an array within an array has no path.
  if (parts.some(([name]) => name.includes(']['))) return undefined;
  return conditions;
}

/** Values of a variable, of which a link leads to the devices that resolve one. */
export interface CountedValues {
  readonly values: readonly { readonly value: unknown }[];
  /** The number of different values, also of those that are not among them. */
  readonly distinct: number;
}

/**
 * The conditions that select the devices that resolve this value, and no others: a number that leads to a list must be the number
 * of its rows.
 * @param all the values that devices resolve
 * @returns undefined also if they select another of these values, or may select one that is not known: an object, or the element
 * of a list of one
 */
export function exactConditionsFor(
  key: string,
  value: unknown,
  { values, distinct }: CountedValues,
  path = '',
): readonly string[] | undefined {
  const conditions = conditionsFor(key, value, path);
  const isUnknown = distinct > values.length;
  // Values that are not known are taken for scalars, unless some of the frequent ones are none.
  const mayBeList = isUnknown && values.some((other) => isList(other.value));
  // A longer list with this element matches, too.
  const isAmbiguous =
    isScalar(value) && (mayBeList || values.some((other) => hasElement(other.value, value)));
  const exact =
    conditions && isAmbiguous
      ? [...conditions, formatCondition(`${pathOf(key, path)}[1]`, 'missing', [])]
      : conditions;
  const text = jsonText(value);
  const others = values.filter((other) => jsonText(other.value) !== text);
  // An object with more members matches, and so does the only element of a list.
  const mayMatchOther = isUnknown && (hasObject(value) || (isList(value) && value.length === 1));
  if (mayMatchOther || others.some((other) => hasParts(other.value, value, isAmbiguous))) return undefined;
  return exact && exact.length <= MAX_CONDITIONS ? exact : undefined;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const hasObject = (value: unknown): boolean =>
  !isScalar(value) && (!isList(value) || value.some((element) => hasObject(element)));

const hasElement = (list: unknown, value: unknown): boolean =>
  isList(list) && list.some((element) => jsonText(element) === jsonText(value));

/**
 * Whether the conditions for a value match another one. They match a value and a list of it alone alike.
 * @param isShort whether the conditions exclude lists of several elements
 */
function hasParts(other: unknown, value: unknown, isShort = false): boolean {
  if (isScalar(value))
    return (
      jsonText(other) === jsonText(value) ||
      (hasElement(other, value) && !(isShort && isList(other) && other.length > 1))
    );
  if (isList(value)) {
    const elements = isList(other) ? other : [other];
    return elements.length === value.length && value.every((element, i) => hasParts(elements[i], element));
  }
  const candidates = isList(other) ? other : [other];
  return Object.entries(value as object).every(([key, member]) =>
    candidates.some((one) => isObject(one) && Object.hasOwn(one, key) && hasParts(one[key], member)),
  );
}

/** The path of a part of a variable. @param path within the value; empty for the whole value */
export const pathOf = (key: string, path: string): string =>
  `${pathStep(key)}${path === '' || path.startsWith('[') ? '' : '.'}${path}`;

/** The scalars of a document with their paths. */
function scalarsOf(path: string, value: unknown): [string, unknown][] {
  if (isScalar(value)) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((element, i) => scalarsOf(`${path}[${i}]`, element));
  return Object.entries(value as object).flatMap(([key, member]) =>
    scalarsOf(`${path}.${pathStep(key)}`, member),
  );
}

/** The paths behind the last elements of the lists in a document: nothing is there. */
function endsOf(path: string, value: unknown): readonly string[] {
  if (isScalar(value)) return [];
  if (isList(value))
    return value.length === 0
      ? []
      : [...value.flatMap((element, i) => endsOf(`${path}[${i}]`, element)), `${path}[${value.length}]`];
  return Object.entries(value as object).flatMap(([key, member]) =>
    endsOf(`${path}.${pathStep(key)}`, member),
  );
}
