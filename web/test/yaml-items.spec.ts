import { jsonText } from '../src/api/exact-json';
import { yamlItems } from '../src/pages/import/yaml-items';

const read = (text: string): string => jsonText(yamlItems(text));

describe('a YAML file', () => {
  it.each([
    [
      'a: 12\nb: text\nc: "007"\nd: null\ne: [true, 1.5]',
      '[{"a":12,"b":"text","c":"007","d":null,"e":[true,1.5]}]',
    ],
    ['1: a\n1.10: b\nnull: c', '[{"1":"a","1.10":"b","null":"c"}]'],
    ['- a: 1\n- a: 2\n---\na: 3\n---\n', '[{"a":1},{"a":2},{"a":3}]'],
    ['x: &x {a: 1}\ny: *x\nz: {<<: *x, b: 2}', '[{"x":{"a":1},"y":{"a":1},"z":{"a":1,"b":2}}]'],
    ['%YAML 1.1\n---\na: 0755\nb: yes\nc: 1_000', '[{"a":493,"b":true,"c":1000}]'],
    ['%YAML 1.2\n---\na: 0755\nb: yes\nc: 2026-11-20', '[{"a":755,"b":"yes","c":"2026-11-20"}]'],
    ['a: !!int 5\nb: !!float 1.5\nc: !!str 6\nd: !!bool "true"', '[{"a":5,"b":1.5,"c":"6","d":true}]'],
    ['# nothing\n', '[]'],
  ])('%j is read as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['a: 1\nb: 0755', 'line 2: 0755 is 493 in YAML 1.1, and 755 in YAML 1.2'],
    ['a: 00042', 'line 1: 00042 is 34 in YAML 1.1, and 42 in YAML 1.2'],
    ['a: no', 'line 1: no is false in YAML 1.1, and "no" in YAML 1.2'],
    ['on: 1', 'line 1: on is true in YAML 1.1, and "on" in YAML 1.2'],
    ['a: 2026-11-20', 'line 1: 2026-11-20 is a date in YAML 1.1'],
    ['%YAML 1.1\n---\na: 2026-11-20', 'line 3: 2026-11-20 is a date, which JSON does not have'],
    ['a: .inf', 'line 1: .inf is a special number, which JSON does not have'],
    ['a: !!int x', 'line 1: x is invalid, which JSON does not have'],
    ['a: !unsafe x', 'The file is not valid YAML: '],
    ['a: [', 'The file is not valid YAML: '],
    ['- 1', 'Item 1 of the file is not a mapping.'],
  ])('%j is rejected: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
