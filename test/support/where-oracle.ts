import fc from './property-testing';
import type { VariablesOf } from './fleet';
import { jsonbText, type Json } from './jsonb-text';
import { byCodePoint } from './naive-resolver';

/**
 * The language of `where` in its simplest form, to compare with the service: no code of the service, no SQL, and parsed JSON
 * with exact numbers.
 */

/** One step of a path. */
interface Leg {
  /** `*`: any. */
  readonly key: string;
  readonly element?: number | '*';
}

const COMPARISONS = ['<', '<=', '>', '>='] as const;
const OPERATORS = ['=', '!=', '^=', '~=', 'in', 'exists', 'missing', ...COMPARISONS] as const;
export type Operator = (typeof OPERATORS)[number];

export interface WhereCondition {
  /** The first leg has the key of the variable. */
  readonly legs: readonly [Leg, ...Leg[]];
  readonly operator: Operator;
  /** None for `exists` and `missing`, several for `in`. */
  readonly operands: readonly Json[];
}

const writtenKey = (key: string): string =>
  key === '*' || /^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(key) ? key : JSON.stringify(key);

/** The text of a condition, as the value of the parameter. */
export function writtenCondition({ legs, operator, operands }: WhereCondition): string {
  const path = legs
    .map(({ key, element }) => writtenKey(key) + (element === undefined ? '' : `[${String(element)}]`))
    .join('.');
  const values = operands.map(jsonbText);
  if (operator === 'in') return `${path} in [${values.join(', ')}]`;
  return [path, operator, ...values].join(' ');
}

export const whereQuery = (all: readonly WhereCondition[]): string =>
  all.map((one) => `where=${encodeURIComponent(writtenCondition(one))}`).join('&');

/** Whether resolved variables meet a condition. */
function meets(variables: VariablesOf, { legs, operator, operands }: WhereCondition): boolean {
  const [{ key, element }, ...rest] = legs;
  const own = Object.hasOwn(variables, key) ? [variables[key] as Json] : [];
  const found = rest.reduce(
    (items, leg) => elementsAt(membersAt(items, leg.key), leg.element),
    elementsAt(own, element),
  );
  if (operator === 'exists') return found.length > 0;
  if (operator === 'missing') return found.length === 0;
  // jsonpath looks into arrays, and into arrays of arrays.
  const values = found.flatMap(unwrapped).flatMap(unwrapped);
  const [operand = null] = operands;
  switch (operator) {
    case '=':
    case 'in':
      return values.some((value) => operands.some((one) => isEqual(value, one)));
    case '!=':
      return found.length > 0 && !values.some((value) => isEqual(value, operand));
    case '^=':
      return values.some((value) => typeof value === 'string' && value.startsWith(operand as string));
    case '~=':
      return values.some(
        (value) => typeof value === 'string' && fold(value).includes(fold(operand as string)),
      );
    default:
      return values.some((value) => holds(operator, compare(value, operand)));
  }
}

/** The name of a resource, and its resolved variables. */
export type Resolved = readonly [string, VariablesOf];

/** The names of the resources that meet all conditions, in the order of the resources. */
export const matching = (resources: readonly Resolved[], all: readonly WhereCondition[]): string[] =>
  resources
    .filter(([, variables]) => all.every((condition) => meets(variables, condition)))
    .map(([name]) => name);

const isNumber = (value: Json): value is { readonly number: string } =>
  typeof value === 'object' && value !== null && 'number' in value;
const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
const isMap = (value: Json): value is ReadonlyMap<string, Json> => value instanceof Map;

const unwrapped = (value: Json): readonly Json[] => (isArray(value) ? value : [value]);

/** The members of objects, and of objects in arrays. */
const membersAt = (items: readonly Json[], key: string): Json[] =>
  items
    .flatMap(unwrapped)
    .filter(isMap)
    .flatMap((object) => (key === '*' ? [...object.values()] : object.has(key) ? [object.get(key)!] : []));

/** The elements of arrays; everything else is an array of itself. */
function elementsAt(items: readonly Json[], element: Leg['element']): readonly Json[] {
  if (element === undefined) return items;
  return items
    .map(unwrapped)
    .flatMap((array) => (element === '*' ? array : array.slice(element, element + 1)));
}

/** The digits of a decimal, and the power of ten that they are multiplied by. */
function decimal(text: string): { readonly digits: bigint; readonly exponent: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

function compareNumbers(a: string, b: string): number {
  const [x, y] = [decimal(a), decimal(b)];
  const lowest = Math.min(x.exponent, y.exponent);
  const scaled = ({ digits, exponent }: typeof x) => digits * 10n ** BigInt(exponent - lowest);
  const difference = scaled(x) - scaled(y);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Natural order; texts that it does not tell apart are in the order of their code points. */
export const compareTexts = (a: string, b: string): number => collator.compare(a, b) || byCodePoint(a, b);

/** The orders of names, by the value of `sort_keys`. `id`: as the names are given. */
export const NAME_ORDERS: Readonly<Record<string, (a: string, b: string) => number>> = {
  id: () => 0,
  name: byCodePoint,
  'name:natural': compareTexts,
};

/** Names that are given in the order of ids, in the order of a list. */
export function inOrder(names: readonly string[], keys: string, direction: 'asc' | 'desc'): string[] {
  const sorted = names.toSorted(NAME_ORDERS[keys]);
  return direction === 'asc' ? sorted : sorted.reverse();
}

/** Undefined for values of different types, and of types without an order. */
function compare(a: Json, b: Json): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a.number, b.number);
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : undefined;
}

const isEqual = (a: Json, b: Json): boolean =>
  isNumber(a) && isNumber(b) ? compareNumbers(a.number, b.number) === 0 : a === b;

function holds(operator: (typeof COMPARISONS)[number], order: number | undefined): boolean {
  if (order === undefined) return false;
  return operator.startsWith('<')
    ? order < 0 || (operator === '<=' && order === 0)
    : order > 0 || (operator === '>=' && order === 0);
}

const fold = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const NUMBERS = [
  ...['0', '-0', '0.0', '1', '1.0', '1e0', '10E-1', '2', '10', '1e1', '1.5', '15e-1', '-1', '-1.5', '100'],
  ...['9007199254740992', '9007199254740993', '0.1', '0.1000000000000000000001', '1e40', '-1e-40'],
  '123456789012345678901234567890.5',
].map((number): Json => ({ number }));

const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '01',
    '1.0',
    '10',
    '2',
    'one',
    'One',
    'ONE',
    'two',
    'true',
    'null',
    '\t',
    'line\nbreak',
  ],
  ...['host-2', 'host-10', 'host-010', 'Host-2', '6.8', '6.8.0-45', '6.8.0-100', '6.12', '6.12-rc1', 'v6.8'],
  ...['MX7', 'mx7001', 'MX7002', 'a:b,c', '[2001:db8::1]:443', '00:1a:2B:3c', 'https://x.example/?a=1&b=2#c'],
  ...['"', '\\', '\\u0041', "'; DROP TABLE devices; --", '%', '_', '*', '$.a', '(.*)', 'Sun 02:00', '/1/'],
  ...[
    'straße',
    'STRASSE',
    'Strasse',
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
    'éclair',
    'e\u0301clair',
    'Éclair',
    'ǆ',
    'ǅ',
    'i',
    'I',
  ],
  ...['\u{1f600}', '\u{1d49c}', '\uff5e', '日本語', 'кириллица', 'КИРИЛЛИЦА', '\u00a0', '\u200b'],
];

/** Short texts of characters that the languages of paths, of JSON or of SQL treat in a special way. */
const ODD_TEXTS = fc.string({
  unit: fc.constantFrom(...Array.from('"\\\'%_*$.,:;[]{}()<>=!~^ aAzZsSß09é\u{1f600}\n\u0001')),
  maxLength: 4,
});

/** Of these, documents and conditions have many, so that conditions match. */
const COMMON_TEXTS = ['1', 'one', 'One', 'host-2', 'host-10', '6.8.0-45', '6.12'];
const COMMON: readonly Json[] = [...COMMON_TEXTS, ...['1', '1.0', '2'].map((number) => ({ number }))];

const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...COMMON_TEXTS) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: ODD_TEXTS },
);

/** Scalars of documents and conditions. */
export const exactScalars: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...COMMON) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: fc.constantFrom<Json>(true, false, null) },
);

/** Values of variables. */
export const { value: exactValues } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: exactScalars },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom('p', 'q', 'x-y', 'a:b'), tie('value')), { maxLength: 2 })
        .map((members) => new Map(members)),
    },
  ),
}));

const keys = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'x-y', '__proto__', 'unknown');

const legs: fc.Arbitrary<WhereCondition['legs']> = fc
  .tuple(
    keys,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      {
        weight: 4,
        arbitrary: fc.array(fc.constantFrom('[*]', '[0]', '[1]', 'p', 'q', 'x-y', 'a:b', '*', 'absent'), {
          maxLength: 3,
        }),
      },
    ),
  )
  .map(([key, steps]) => {
    const path: [Leg, ...Leg[]] = [{ key }];
    for (const step of steps) {
      const last = path.at(-1)!;
      if (!step.startsWith('[')) path.push({ key: step });
      else if (last.element === undefined && last.key !== '*')
        path[path.length - 1] = { ...last, element: step === '[*]' ? '*' : Number(step[1]) };
    }
    return path;
  });

const partsOfTexts = fc
  .tuple(texts, fc.nat(3), fc.nat(4), fc.boolean())
  .map(([text, from, length, upper]) => {
    const part = Array.from(text)
      .slice(from, from + 1 + length)
      .join('');
    return upper ? part.toUpperCase() : part;
  });

const ordered = fc.oneof(fc.constantFrom(...NUMBERS), texts).map((one): readonly Json[] => [one]);

const operandsOf: Readonly<Record<Operator, fc.Arbitrary<readonly Json[]>>> = {
  '=': exactScalars.map((one) => [one]),
  '!=': exactScalars.map((one) => [one]),
  '^=': fc
    .oneof(
      texts.map((text) => Array.from(text).slice(0, 2).join('')),
      texts,
    )
    .map((one) => [one]),
  '~=': partsOfTexts.map((one) => [one]),
  in: fc.array(exactScalars, { minLength: 1, maxLength: 6 }),
  exists: fc.constant([]),
  missing: fc.constant([]),
  ...{ '<': ordered, '<=': ordered, '>': ordered, '>=': ordered },
};

/** Conditions of every form. */
export const whereConditions: fc.Arbitrary<WhereCondition> = fc
  .constantFrom(...OPERATORS)
  .chain((operator) => fc.record({ legs, operator: fc.constant(operator), operands: operandsOf[operator] }));
