import { parseJson } from '../src/api/exact-json';
import { differenceOf, typeChange } from '../src/components/value-difference';

describe('the difference of two values', () => {
  it.each([
    ['numbers', 80, 443],
    ['another type', '80', 80],
    ['short texts', '6.8.0-45', '6.12.0-3'],
    ['a list and a document', ['a'], { a: 1 }],
    ['lists without common elements', ['10.0.0.1'], ['10.0.0.2']],
    ['an empty document', {}, { a: 1 }],
  ])('of %s is the whole', (_, before, after) => {
    expect(differenceOf(before, after)).toEqual({ kind: 'whole' });
  });

  it('of texts is what is between their common start and end', () => {
    expect(differenceOf('ntp1.ams.example.net', 'ntp2.ams.example.net')).toEqual({
      kind: 'text',
      start: 3,
      end: 16,
    });
    expect(differenceOf('aaa', 'aaaa')).toEqual({ kind: 'text', start: 3, end: 0 });
  });

  it.each([
    [
      'documents',
      { model: 'R650', cpu: { cores: 32, sockets: 2 }, 'u-height': 1 },
      { model: 'R650', cpu: { cores: 64, sockets: 2 }, rack: 'b' },
      [
        { path: 'cpu.cores', before: 32, after: 64, isElement: false },
        { path: '"u-height"', before: 1, isElement: false },
        { path: 'rack', after: 'b', isElement: false },
      ],
      2,
    ],
    [
      'lists',
      ['a', 'b', 'b', 'c'],
      ['b', 'd', 'a'],
      [
        { path: '', before: 'b', isElement: true },
        { path: '', before: 'c', isElement: true },
        { path: '', after: 'd', isElement: true },
      ],
      2,
    ],
    [
      'lists of documents of the same length',
      [{ size: 1, bus: 'sata' }, { size: 2 }],
      [{ size: 1, bus: 'nvme' }, { size: 2 }],
      [{ path: '[0].bus', before: 'sata', after: 'nvme', isElement: false }],
      2,
    ],
    [
      'lists in documents',
      { ntp: ['a', 'b'], dns: 1 },
      { ntp: ['a', 'c'], dns: 1 },
      [
        { path: 'ntp', before: 'b', isElement: true },
        { path: 'ntp', after: 'c', isElement: true },
      ],
      2,
    ],
    [
      'texts of several lines',
      'one\ntwo\nthree',
      'one\ntwo!\nthree',
      [
        { path: '', before: 'two', isElement: true },
        { path: '', after: 'two!', isElement: true },
      ],
      2,
    ],
  ])('of %s has only what differs', (_, before, after, parts, same) => {
    expect(differenceOf(before, after)).toEqual({ kind: 'parts', parts, same });
  });

  it('of lists with the same elements is the order', () => {
    expect(differenceOf([1, 2], [2, 1])).toEqual({ kind: 'order' });
  });
});

it.each([
  ['6.8', 6.8, 'a number replaces a text'],
  [6.8, '6.8', 'a text replaces a number'],
  ['true', true, 'a boolean replaces a text'],
  [1, true, 'a boolean replaces a number'],
  ['7', parseJson('90071992547409931234'), 'a number replaces a text'],
  ['6.8', '6.9', undefined],
  [6.8, parseJson('6.80'), undefined],
  // Nobody mistakes these for each other.
  [null, 'null', undefined],
  [['a'], 'a', undefined],
  ['{}', {}, undefined],
])('of %j and %j, the type changes: %s', (before, after, text) => {
  expect(typeChange(before, after)).toBe(text);
});
