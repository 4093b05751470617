import { assertConditions } from '../../client/src/commands/unquoted-condition';
import { CliError } from '../../client/src/cli-error';
import { InventoryError } from '../../src/core/errors';
import { parseCondition } from '../../src/variables/filter/where-parser';

const succeeds = (run: () => unknown, expected: typeof CliError | typeof InventoryError): boolean => {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof expected) return false;
    throw error;
  }
};

const isAccepted = (condition: string) => succeeds(() => parseCondition(condition), InventoryError);
const hasOperator = (condition: string) => succeeds(() => assertConditions([condition]), CliError);

const PATHS = [
  'a',
  'größe',
  'exists',
  'in',
  'tags[0]',
  'tags[*]',
  'a.b[12]',
  '"my-key"',
  '"a b"',
  'a."b=c"',
  '"\\""',
  'a.*',
  'a.*.b',
];
const PREDICATES = [
  '=1',
  '!="x"',
  '<6',
  '>= "6.8"',
  '^="a"',
  '~="a"',
  'in[1,2]',
  'in ["a"]',
  'exists',
  'missing',
];

/** What the service accepts. An operator that is a word needs no blank after a bracket, a quote or an asterisk. */
const conditions = PATHS.flatMap((path) =>
  ['', ' ', '\n\t'].flatMap((blank) => PREDICATES.map((predicate) => ` ${path}${blank}${predicate} `)),
).filter(isAccepted);

it.each(['tags[0]exists', '"my-key"exists', 'tags[0]in[1,2]', 'a.*missing'])('%s is a condition', (text) => {
  expect([isAccepted(text), hasOperator(text)]).toEqual([true, true]);
});

it('every condition that the service accepts has an operator', () => {
  expect(conditions.length).toBeGreaterThan(300);
  expect(conditions.filter((condition) => !hasOperator(condition))).toEqual([]);
});

it.each(PATHS)('the path %s has none', (path) => {
  expect(hasOperator(` ${path} `)).toBe(false);
});

// The service says what is wrong with it.
it.each(['rack["row"]in[1,2]', 'kernel?', '!kernel'])('%s is left to the service', (text) => {
  expect([isAccepted(text), hasOperator(text)]).toEqual([false, true]);
});
