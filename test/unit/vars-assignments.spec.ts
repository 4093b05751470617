import { parseAssignment, parseAssignments } from '../../client/src/commands/vars/assignments';
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
  ['kernel="6.8"', 'kernel', '"6.8"'],
  ['serial=9007199254740993', 'serial', '9007199254740993'],
  ['price=1.10', 'price', '1.10'],
  ['unset=null', 'unset', 'null'],
  ['console={"baud":9600,"__proto__":1}', 'console', '{"baud":9600,"__proto__":1}'],
  ['bgp-asn=64512', 'bgp-asn', '64512'],
  ['größe=[1]', 'größe', '[1]'],
  ['__proto__=true', '__proto__', 'true'],
  ['kernel:=6.8', 'kernel', '"6.8"'],
  ['motd:=a=b "c"', 'motd', '"a=b \\"c\\""'],
  ['empty:=', 'empty', '""'],
  ['expression="a:=b"', 'expression', '"a:=b"'],
])('parseAssignment reads %s', (given, key, value) => {
  const read = parseAssignment(given);
  expect(read.key).toBe(key);
  expect(exactJson.stringify(read.value)).toBe(value);
});

it('parseAssignment rejects a value that is not JSON, with a hint that does not contain the value', () => {
  const fault = faultOf(() => parseAssignment('password=hunter2'));
  expect(fault.exitCode).toBe(EXIT.usageError);
  expect(fault.lines).toEqual([
    '  a literal text:  password:=some text',
    `  a JSON string:   password='"some text"'`,
  ]);
  expect([fault.message, ...fault.lines].join()).not.toContain('hunter2');
});

it.each(['kernel', 'ntp servers=1', '9lives=1', '-x=1', '=1', ':=1', 'a.b=1', 'a={"x":1,"x":2}'])(
  'parseAssignment rejects %s',
  (given) => {
    expect(faultOf(() => parseAssignment(given)).exitCode).toBe(EXIT.usageError);
  },
);

it('parseAssignments builds an object, and rejects a duplicate key', () => {
  const variables = parseAssignments(['__proto__=1.0', 'a:=x']);
  expect(exactJson.stringify(variables)).toBe('{"__proto__":1.0,"a":"x"}');
  expect(faultOf(() => parseAssignments(['a=1', 'a:=2'])).message).toBe('The key a is assigned twice.');
});
