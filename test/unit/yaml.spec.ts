import { CliError } from '../../client/src/cli-error';
import { exactJson } from '../../client/src/api/exact-json';
import { parseYaml, readYamlItems } from '../../client/src/files/yaml-items';
import { toYaml } from '../../client/src/output/yaml';
import type { YamlVersion } from '../../client/src/files/yaml-scalars';

/** The resources of a file as JSON. */
async function items(text: string, version?: YamlVersion): Promise<string[]> {
  const found: string[] = [];
  for await (const some of readYamlItems(bytesOf(text), 'a.yaml', version)) found.push(...some);
  return found;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const json = async (text: string, version?: YamlVersion): Promise<string> =>
  exactJson.stringify(await parseYaml(text, 'a.yaml', version));

/** The message of the error and its lines. */
async function errorOf(result: Promise<unknown>): Promise<string> {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CliError)) throw new Error('expected an error of the file', { cause: error });
  return [error.message, ...error.lines].join('\n');
}

/** As read by PyYAML 6.0.3 and by the schema "core" of the package yaml 2.9.1. */
const DIFFERENT: readonly (readonly [scalar: string, in11: string, in12: string])[] = [
  ['0755', '493', '755'],
  ['00042', '34', '42'],
  ['-0755', '-493', '-755'],
  ['089', '"089"', '89'],
  ['yes', 'true', '"yes"'],
  ['NO', 'false', '"NO"'],
  ['On', 'true', '"On"'],
  ['off', 'false', '"off"'],
  ['12:30:45', '45045', '"12:30:45"'],
  ['-1:30', '-90', '"-1:30"'],
  ['190:20:30.15', '685230.15', '"190:20:30.15"'],
  ['12:34:56:07:08:09', '9783961689', '"12:34:56:07:08:09"'],
  ['1_000', '1000', '"1_000"'],
  ['1_000.50', '1000.50', '"1_000.50"'],
  ['0x1_F', '31', '"0x1_F"'],
  ['-0x1F', '-31', '"-0x1F"'],
  ['0b101', '5', '"0b101"'],
  ['0o17', '"0o17"', '15'],
  ['1e3', '"1e3"', '1e3'],
  ['1.5e3', '"1.5e3"', '1.5e3'],
  ['-.5', '"-.5"', '-0.5'],
  ['+.5', '"+.5"', '0.5'],
  ['.5e3', '".5e3"', '0.5e3'],
];

/** Not in JSON in YAML 1.1. */
const DATES = ['2001-01-01', '2026-11-20T14:37:06Z', '2001-1-1 10:00:00 +02:00', '2001-13-45'];

const EQUAL: readonly (readonly [scalar: string, value: string])[] = [
  ['9007199254740993', '9007199254740993'],
  ['1.10', '1.10'],
  ['5.', '5'],
  ['.5', '0.5'],
  ['1.5e+3', '1.5e+3'],
  ['07', '7'],
  ['00', '0'],
  ['0x1F', '31'],
  ['00:11:22:33:44:55', '"00:11:22:33:44:55"'],
  ['08:30', '"08:30"'],
  ['y', '"y"'],
  ['N', '"N"'],
  ['2001-1-1', '"2001-1-1"'],
  ['10.1.1.1', '"10.1.1.1"'],
  ['fe80::1', '"fe80::1"'],
  ['True', 'true'],
  ['~', 'null'],
  ['Null', 'null'],
  ['', 'null'],
];

describe('plain scalars of YAML', () => {
  it.each(DIFFERENT)('%s is rejected, unless a version is chosen', async (scalar, in11, in12) => {
    expect(await errorOf(items(`kind: label\nx: ${scalar}\n`))).toContain(
      `  line 2, column 4: ${scalar} is ${in11} in YAML 1.1, and ${in12} in YAML 1.2`,
    );
    expect(await items(`x: ${scalar}`, '1.1')).toEqual([`{"x":${in11}}`]);
    expect(await items(`x: ${scalar}`, '1.2')).toEqual([`{"x":${in12}}`]);
    expect(await items(`x: "${scalar}"\ny: '${scalar}'\nz: |-\n  ${scalar}\nt: !!str ${scalar}`)).toEqual([
      `{"x":"${scalar}","y":"${scalar}","z":"${scalar}","t":"${scalar}"}`,
    ]);
  });

  it.each(DATES)('the date %s is rejected, unless it is a text of YAML 1.2', async (date) => {
    expect(await errorOf(json(`x: ${date}`))).toContain(
      `  line 1, column 4: ${date} is a date in YAML 1.1, and "${date}" in YAML 1.2`,
    );
    expect(await errorOf(json(`x: ${date}`, '1.1'))).toContain(
      `line 1, column 4: ${date} is a date in YAML 1.1, and JSON cannot represent dates. Put quotes around it`,
    );
    expect(await json(`x: ${date}`, '1.2')).toBe(`{"x":"${date}"}`);
    expect(await json(`x: '${date}'`)).toBe(`{"x":"${date}"}`);
  });

  it.each(EQUAL)('%s means the same', async (scalar, value) => {
    for (const version of [undefined, '1.1', '1.2'] as const)
      expect(await json(`x: ${scalar}`, version)).toBe(`{"x":${value}}`);
  });

  it('are named together, with a remedy', async () => {
    const lines = Array.from({ length: 22 }, () => '- yes\n').join('');
    const error = await errorOf(json(`${lines}- {0755: a}\n`));
    expect(error).toContain('read these values of a.yaml differently:\n  line 1, column 3: yes is true');
    expect(error).toContain('\n  and 3 more\n  Put quotes around a text.');
    expect(error).toContain('--yaml 1.1 or --yaml 1.2');
  });

  it.each([
    ['!!int "0755"', '493', '755'],
    ['!!bool yes', 'true', 'invalid'],
    ['!!float 1e3', 'invalid', '1e3'],
  ])('with the tag of a type are read by it: %s', async (scalar, in11, in12) => {
    expect(await errorOf(json(`x: ${scalar}`))).toContain(`is ${in11} in YAML 1.1, and ${in12} in YAML 1.2`);
    if (in11 !== 'invalid') expect(await json(`x: ${scalar}`, '1.1')).toBe(`{"x":${in11}}`);
    if (in12 !== 'invalid') expect(await json(`x: ${scalar}`, '1.2')).toBe(`{"x":${in12}}`);
  });

  it.each(['=', '<<', '0b_'])('%s has no value in YAML 1.1', async (scalar) => {
    expect(await errorOf(json(`x: ${scalar}`))).toContain(
      `${scalar} is invalid in YAML 1.1, and "${scalar}"`,
    );
    expect(await errorOf(json(`x: ${scalar}`, '1.1'))).toContain('line 1, column 4: invalid YAML');
    expect(await json(`x: ${scalar}`, '1.2')).toBe(`{"x":"${scalar}"}`);
  });

  it('are names of members, too', async () => {
    const text = '{1: a, 1.10: b, null: c, 0x1F: d, true: e}';
    expect(await json(text)).toBe('{"1":"a","1.10":"b","null":"c","0x1F":"d","true":"e"}');
    expect(await errorOf(json('x:\n  no: Norway\n'))).toContain(
      'line 2, column 3: no is false in YAML 1.1, and "no" in YAML 1.2',
    );
    expect(await json('{no: Norway, 0755: rwx, "on": 1}', '1.1')).toBe(
      '{"493":"rwx","false":"Norway","on":1}',
    );
    expect(await json('{no: Norway, 0o17: x}', '1.2')).toBe('{"no":"Norway","0o17":"x"}');
  });

  it('that the client writes are read back', async () => {
    const texts = [...DIFFERENT, ...EQUAL].map(([scalar]) => scalar).concat(DATES, '=', '<<', '0b_');
    const numbers = exactJson.parse('[1e3, -1.5E3, 1e-7, 1.10, 0.5e+3, 12]');
    expect(await parseYaml(toYaml({ texts, yes: 1, '12:30': 2 }), 'a.yaml', undefined)).toEqual({
      ...{ texts, yes: expect.anything() as unknown, '12:30': expect.anything() as unknown },
    });
    const read = await json(toYaml(numbers));
    expect(JSON.parse(read) as number[]).toEqual([1000, -1500, 1e-7, 1.1, 500, 12]);
    expect(read).toContain('1.10');
  });
});

describe('directives of YAML', () => {
  it('hold for their document, wherever it is', async () => {
    const text =
      'a: 1\n...\n# a comment\n%YAML 1.1\n---\nm: 0755\n---\n- {b: 2}\n...\n...\n%YAML 1.2\n---\nm: 0755\n';
    expect(await items(text)).toEqual(['{"a":1}', '{"m":493}', '{"b":2}', '{"m":755}']);
    expect(await errorOf(items(text.replace('{b: 2}', '{b: 0755}')))).toContain(
      'line 8, column 7: 0755 is 493',
    );
    expect(await items('\uFEFF%YAML 1.1\n---\nm: yes\n', '1.2')).toEqual(['{"m":true}']);
  });

  it('are checked', async () => {
    expect(await errorOf(items('a: 1\n...\n%YAML 3.0\n---\nb: 1\n'))).toContain(
      'line 3, column 7: invalid YAML: Unsupported YAML version 3.0',
    );
  });
});

describe('aliases of YAML', () => {
  it('may be many, and merge keys, too', async () => {
    const count = 10_500;
    const text = `- {a: &a {x: 1, y: [1, 2]}}\n${'- {a: *a, <<: *a, x: 2}\n'.repeat(count)}`;
    const found = await items(text);
    expect(found).toHaveLength(count + 1);
    expect(JSON.parse(found.at(-1) ?? '')).toEqual({ a: { x: 1, y: [1, 2] }, x: 2, y: [1, 2] });
  });

  it.each([
    ['lists', (n: number) => `[${`*a${String(n)},`.repeat(10)}]`],
    [
      'mappings',
      (n: number) => `{${Array.from({ length: 10 }, (_, i) => `k${String(i)}: *a${String(n)}`).join()}}`,
    ],
  ])('that expand to too much are rejected: %s', async (_, nest) => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${String(n + 1)}: &a${String(n + 1)} ${nest(n)}\n`);
    expect(await errorOf(items(`a0: &a0 lol\n${levels.join('')}`))).toMatch(
      /line \d+, column \d+: the aliases of this resource expand to more than 4 MiB/,
    );
    // Merge keys count, too.
    const merges = Array.from(
      { length: 30 },
      (_, n) => `m${String(n + 1)}: &m${String(n + 1)} {<<: *m${String(n)}, k${String(n)}: *m${String(n)}}\n`,
    );
    expect(await errorOf(items(`m0: &m0 {x: 1}\n${merges.join('')}`))).toContain('more than 4 MiB');
    // The limit of all resources together.
    const list = `- a: &a ${'x'.repeat(1_000_000)}\n${'- {x: [*a, *a, *a, *a]}\n'.repeat(300)}`;
    expect(await errorOf(items(list))).toContain('the aliases of this document expand to more than 1 GiB');
  });

  it('may be merged along a chain', async () => {
    const chain = Array.from(
      { length: 200 },
      (_, n) => `m${String(n + 1)}: &m${String(n + 1)} {<<: *m${String(n)}, k${String(n)}: 1}\n`,
    );
    const read = JSON.parse(await json(`m0: &m0 {x: 1}\n${chain.join('')}`)) as Record<string, object>;
    expect(Object.keys(read['m200'] ?? {})).toHaveLength(201);
  });

  it('to themselves are rejected', async () => {
    expect(await errorOf(json('a: &a {x: [*a]}'))).toContain(
      'JSON cannot represent a value that contains itself',
    );
    expect(await errorOf(json('a: *b\nb: &b 1'))).toContain(
      'line 1, column 4: invalid YAML: Unresolved alias',
    );
  });

  it('merge in order: the mapping itself, then the first of a list', async () => {
    const text = '{a: &a {x: 1, y: 1}, b: &b {y: 2, z: 2}, c: {z: 3, <<: [*b, *a]}}';
    expect(await json(text)).toContain('"c":{"y":2,"z":3,"x":1}');
    expect(await errorOf(json('{a: &a [1], <<: *a}'))).toContain('the value of << has to be a mapping');
    expect(await errorOf(json('{a: &a {}, <<: *a, <<: *a}'))).toContain('several keys <<');
  });
});

describe('what JSON does not have', () => {
  it.each([
    ['{a: 1}: b', 'line 1, column 1: JSON cannot represent a mapping or a list as a key'],
    ['a: {{ name }}', 'line 1, column 5: JSON cannot represent a mapping'],
    ['? [a]\n: b', 'as a key'],
    ['a: .inf', 'this number cannot be represented in JSON'],
    ['a: !!binary AAAA', 'JSON cannot represent binary data'],
    ['a: !!timestamp 2001-01-01', 'is a date'],
    ['a: !!set {x}', 'the tag tag:yaml.org,2002:set'],
    ['a: !!omap [x: 1]', 'the tag tag:yaml.org,2002:omap'],
    ['a: 1\na: 2', 'line 2, column 1: invalid YAML: the key "a" occurs twice'],
    ['1: a\n"1": b', 'the key "1" occurs twice'],
    [`a: ${'['.repeat(200)}${']'.repeat(200)}`, 'more than 100 levels'],
    [`a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'line 1, column '],
  ])('is rejected with its position (%#)', async (text, message) => {
    expect(await errorOf(json(text))).toContain(message);
  });
});
