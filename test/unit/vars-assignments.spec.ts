import { parseAssignment, parseAssignments } from '../../client/src/commands/vars/arguments';
import { EXIT, CliError } from '../../client/src/cli-error';
import { exactJson } from '../../client/src/api/exact-json';

function faultOf(read: () => unknown): CliError {
  try {
    read();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('no error was thrown');
}

it.each([
  ['kernel:="6.8"', 'kernel', '"6.8"'],
  ['serial:=9007199254740993', 'serial', '9007199254740993'],
  ['price:=1.10', 'price', '1.10'],
  ['unset:=null', 'unset', 'null'],
  ['console:={"baud":9600,"__proto__":1}', 'console', '{"baud":9600,"__proto__":1}'],
  ['bgp-asn:=64512', 'bgp-asn', '64512'],
  ['größe:=[1]', 'größe', '[1]'],
  ['__proto__:=true', '__proto__', 'true'],
  ['kernel=6.12.4', 'kernel', '"6.12.4"'],
  ['motd=a=b "c"', 'motd', '"a=b \\"c\\""'],
  ['empty=', 'empty', '""'],
  ['broken={"a":', 'broken', '"{\\"a\\":"'],
  ['expression=a:=b', 'expression', '"a:=b"'],
  ['expression:="a:=b"', 'expression', '"a:=b"'],
])('parseAssignment reads %s', (given, key, value) => {
  const read = parseAssignment(given);
  expect(read.key).toBe(key);
  expect(exactJson.stringify(read.value)).toBe(value);
});

it('parseAssignment rejects := with a value that is not JSON, with a hint that does not contain the value', () => {
  const fault = faultOf(() => parseAssignment('password:=hunter2'));
  expect(fault.exitCode).toBe(EXIT.usageError);
  expect(fault.lines).toEqual([
    `  a text:         password='some text'`,
    `  a JSON string:  password:='"some text"'`,
  ]);
  expect([fault.message, ...fault.lines].join()).not.toContain('hunter2');
});

it.each([
  ['6.10', 'a number', '6.10'],
  [' 4711 ', 'a number', '4711'],
  ['true', 'a boolean', 'true'],
  ['null', 'null', 'null'],
])('parseAssignment rejects = with the JSON value %s, with both forms to copy', (text, type, shown) => {
  const fault = faultOf(() => parseAssignment(`pin=${text}`));
  expect(fault.exitCode).toBe(EXIT.usageError);
  expect(fault.message).toBe(`The value of pin is JSON (${type}), but = sets a text. Use := for both:`);
  expect(fault.lines).toEqual([`  the JSON value:  pin:='${shown}'`, `  the text:        pin:='"${shown}"'`]);
});

it.each([
  ['["4711"]', 'an array'],
  ['{"a":"4711"}', 'an object'],
  ['"4711"', 'a string'],
])(
  'parseAssignment rejects = with the JSON value %s, with a hint that does not contain the value',
  (text, type) => {
    const fault = faultOf(() => parseAssignment(`pin=${text}`));
    expect(fault.exitCode).toBe(EXIT.usageError);
    expect(fault.message).toBe(`The value of pin is JSON (${type}), but = sets a text. Use := for both:`);
    expect(fault.lines).toHaveLength(2);
    for (const line of fault.lines) expect(line).toMatch(/^ {2}the .*: +pin:='.*VALUE.*'/);
    expect([fault.message, ...fault.lines].join()).not.toContain('4711');
  },
);

it.each(['kernel', 'ntp servers=a', '9lives=a', '-x=a', '=a', ':=1', 'a.b=a', 'a:={"x":1,"x":2}', 'a:='])(
  'parseAssignment rejects %s',
  (given) => {
    expect(faultOf(() => parseAssignment(given)).exitCode).toBe(EXIT.usageError);
  },
);

it('parseAssignments builds an object, and rejects a duplicate key', () => {
  const variables = parseAssignments(['__proto__:=1.0', 'a=x']);
  expect(exactJson.stringify(variables)).toBe('{"__proto__":1.0,"a":"x"}');
  expect(faultOf(() => parseAssignments(['a=x', 'a:=2'])).message).toBe('The key a is assigned twice.');
});
