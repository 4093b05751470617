import {
  buildCondition,
  conditionsFor,
  exactConditionsFor,
  formatCondition,
  hintOf,
  operatorsFor,
  parseOperand,
  typeOf,
  type Operator,
  type ValueType,
} from '../src/components/where-condition';

const types = (...names: ValueType[]) => new Set(names);
const values = (known: ReadonlySet<ValueType>, ...scalars: string[]) => ({
  types: known,
  scalars: new Set(scalars),
});

describe('the operators for types of values', () => {
  it('order numbers and texts', () => {
    expect(operatorsFor(types('number'))).toEqual([
      '=',
      '!=',
      '<',
      '<=',
      '>',
      '>=',
      'in',
      'exists',
      'missing',
    ]);
    expect(operatorsFor(types('text'))).toEqual([
      ...['=', '!=', '^=', '~=', '<', '<=', '>', '>=', 'in', 'exists', 'missing'],
    ]);
  });

  it('only compare booleans and null', () => {
    expect(operatorsFor(types('boolean', 'null'))).toEqual(['=', '!=', 'exists', 'missing']);
  });

  it('compare a document by its parts, and a list by its elements', () => {
    expect(operatorsFor(types('object'))).toEqual(['exists', 'missing']);
    expect(operatorsFor(types('array', 'boolean'))).toEqual(['=', '!=', 'exists', 'missing']);
  });

  it('are all of them while the types are not known', () => {
    expect(operatorsFor(types())).toHaveLength(11);
  });
});

describe('an operand', () => {
  it.each([
    ['6.12', types('text'), '6.12'],
    ['"6.12"', types('text'), '6.12'],
    ['say "hi"', types('text'), 'say "hi"'],
    ['6.12', types('number', 'text'), 6.12],
    ['6.12', types('text', 'number'), '6.12'],
    ['null', types('text', 'null', 'number'), null],
    ['"6.12"', types('text', 'number'), '6.12'],
    ['true', types('boolean'), true],
    ['true', types('text'), 'true'],
    ['null', types('text', 'null'), null],
    ['42:00', types(), '42:00'],
    ['42', types(), 42],
    ['[1]', types('text'), '[1]'],
  ])('%s among %o', (text, known, value) => {
    expect(parseOperand(text, '=', values(known))).toEqual({ value });
  });

  it('is a number that is known, also if most values are texts', () => {
    expect(parseOperand('4', '=', values(types('text', 'number'), '"6.8"', '4'))).toEqual({ value: 4 });
    expect(parseOperand('5', '=', values(types('text', 'number'), '"6.8"', '4'))).toEqual({ value: '5' });
  });

  it('is a text where only texts are compared, unless it is one in quotes', () => {
    expect(parseOperand('6', '^=', values(types('text', 'number')))).toEqual({ value: '6' });
    expect(parseOperand('" x"', '~=', values(types('text')))).toEqual({ value: ' x' });
  });

  it('of another type is a problem', () => {
    expect(parseOperand('many', '<', values(types('number')))).toEqual({ problem: 'Enter a number.' });
    expect(parseOperand('on', '=', values(types('boolean', 'null')))).toEqual({
      problem: 'Enter true or false or null.',
    });
    expect(parseOperand(' ', '=', values(types('text')))).toEqual({ problem: 'Enter a value.' });
  });
});

it('conditions are written with their operands as JSON', () => {
  expect(formatCondition('kernel', '^=', ['6."1'])).toBe(String.raw`kernel ^= "6.\"1"`);
  expect(formatCondition('rack.row', 'in', [3, '4'])).toBe('rack.row in [3, "4"]');
  expect(formatCondition('backup_server', 'missing', [])).toBe('backup_server missing');
});

describe('a condition that is built', () => {
  const build = (operator: Operator, ...texts: string[]) =>
    buildCondition('kernel', operator, values(types('text')), texts);

  it('has the operands that its operator needs', () => {
    expect(build('>=', '6.8', 'ignored')).toEqual({ condition: 'kernel >= "6.8"' });
    expect(build('in', '6.8', '"6.12"')).toEqual({ condition: 'kernel in ["6.8", "6.12"]' });
    expect(build('missing', 'ignored')).toEqual({ condition: 'kernel missing' });
  });

  it('needs operands', () => {
    expect(build('=')).toEqual({ problem: 'Enter a value.' });
    expect(build('in')).toEqual({ problem: 'Enter a value.' });
    expect(build('in', '6.8', '')).toEqual({ problem: 'Enter a value.' });
  });
});

it('hints say what the words do not', () => {
  expect(hintOf('<', types('number'))).toBe('');
  expect(hintOf('<', types('text'))).toMatch(/^Digits in texts/);
  expect(hintOf('~=', types('array', 'text'))).toBe('Ignores case. One element of a list is enough.');
  expect(hintOf('!=', types('array', 'text'))).toBe('It is set, and no element of a list is this.');
});

it('values have the types of JSON', () => {
  expect([null, true, 'x', 1, [1], { a: 1 }].map(typeOf)).toEqual([
    ...['null', 'boolean', 'text', 'number', 'array', 'object'],
  ]);
});

describe('the conditions for a value', () => {
  it('compare texts with any character', () => {
    expect(conditionsFor('mac', 'aa:bb,cc')).toEqual(['mac = "aa:bb,cc"']);
    expect(conditionsFor('bgp-asn', 64512)).toEqual(['"bgp-asn" = 64512']);
  });

  it('compare documents part by part', () => {
    expect(conditionsFor('disks', [{ size: 480 }, { 'serial-no': 'x:1' }])).toEqual([
      'disks[0].size = 480',
      'disks[1]."serial-no" = "x:1"',
      // Not a longer list.
      'disks[2] missing',
    ]);
  });

  it('begin with a path within the value', () => {
    expect(conditionsFor('rack', 4, 'row')).toEqual(['rack.row = 4']);
    expect(conditionsFor('ntp_servers', '10.1.0.1', '[0]')).toEqual(['ntp_servers[0] = "10.1.0.1"']);
  });

  it('do not exist for an empty document, lists of lists and large documents', () => {
    expect(conditionsFor('a', {})).toBeUndefined();
    expect(conditionsFor('a', [[1]])).toBeUndefined();
    expect(
      conditionsFor(
        'a',
        Array.from({ length: 17 }, (_, i) => i),
      ),
    ).toBeUndefined();
  });
});

describe('the conditions for exactly the devices that resolve a value', () => {
  const exact = (value: unknown, others: readonly unknown[], unknown = 0) =>
    exactConditionsFor('a', value, {
      values: [value, ...others].map((one) => ({ value: one })),
      distinct: others.length + 1 + unknown,
    });

  it('are those of the value', () => {
    expect(exact('x', ['xy', 1, null, { b: 'x' }], 9)).toEqual(['a = "x"']);
    expect(exact({ b: 1 }, [{ b: 2, c: 1 }, [1]])).toEqual(['a.b = 1']);
  });

  it('exclude lists that are not known, if the variable has lists', () => {
    expect(exact('x', [['y', 'z']], 1)).toEqual(['a = "x"', 'a[1] missing']);
    expect(exact(['x', 'y'], ['z'], 1)).toEqual(['a[0] = "x"', 'a[1] = "y"', 'a[2] missing']);
    // The element alone may be a value, too.
    expect(exact(['x'], ['z'], 1)).toBeUndefined();
  });

  it('exclude lists that have the value, or begin with the same elements', () => {
    expect(exact('x', [['x', 'y']])).toEqual(['a = "x"', 'a[1] missing']);
    expect(exact(['x'], [['x', 'y'], 'y'])).toEqual(['a[0] = "x"', 'a[1] missing']);
  });

  it('do not tell a value from a list of it', () => {
    expect(exact('x', [['x']])).toBeUndefined();
    expect(exact(['x'], ['x'])).toBeUndefined();
    expect(exact([{ b: 1 }], [{ b: 1 }])).toBeUndefined();
    expect(exact({ b: 1 }, [[{ b: 1 }]])).toBeUndefined();
  });

  it('do not exist if an object has the same members and others, or may have', () => {
    expect(exact({ b: 1 }, [{ b: 1, c: 2 }])).toBeUndefined();
    expect(exact({ b: 1 }, [{ b: [1, 2] }])).toBeUndefined();
    expect(exact([{ b: 1 }], [[{ b: 1, c: 2 }]])).toBeUndefined();
    expect(exact({ b: 1 }, [], 1)).toBeUndefined();
    expect(exact([{ b: 1 }], [], 1)).toBeUndefined();
  });
});
