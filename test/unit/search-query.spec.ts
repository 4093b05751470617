import { parseSearchQuery } from '../../src/search/search-query';

const networkOf = (q: string) => parseSearchQuery({ q }).network?.text;

describe('the network of a searched text', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.', '10.0.0.0/8'],
    ['10.64', '10.64.0.0/16'],
    ['10.64.', '10.64.0.0/16'],
    ['10.64.3', '10.64.3.0/24'],
    ['10.064.3.', '10.64.3.0/24'],
    ['::1', '::1'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:', '2001:0:0:0:0:0:0:0/16'],
    ['2001:db8', '2001:db8:0:0:0:0:0:0/32'],
    ['2001:DB8:', '2001:DB8:0:0:0:0:0:0/32'],
    ['2001:db8::', '2001:db8:0:0:0:0:0:0/32'],
    ['2001:db8:0:1', '2001:db8:0:1:0:0:0:0/64'],
    ['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:0/112'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['2001:db8::1', '2001:db8::1'],
    ['::', '::'],
    ['fe80::/10', 'fe80::/10'],
  ])('of %s is %s', (text, network) => {
    expect(networkOf(text)).toBe(network);
  });

  it.each([
    '10',
    '10.0.0.1.',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.256.',
    '1000.',
    '.10',
    'fe80::1%eth0',
    'fe80',
    '1:2:3:4:5:6:7:8:',
    '1:2:3:4:5:6:7:8:9',
    '20010:',
    'role:web',
    ':1',
    '1:::',
    '1:2/32',
  ])('does not exist for %s', (text) => {
    expect(networkOf(text)).toBeUndefined();
  });
});

describe('the values of a searched text', () => {
  it.each([
    ['web', ['"web"']],
    ['"', [String.raw`"\""`]],
    ['true', ['"true"', 'true']],
    ['null', ['"null"', 'null']],
    ['-1.50', ['"-1.50"', '-1.50']],
    ['01', ['"01"']],
    ['1e5', ['"1e5"']],
    ['1.', ['"1."']],
  ])('of %s are %j', (q, values) => {
    expect(parseSearchQuery({ q }).values).toEqual(values);
  });
});

it.each([
  ['web', true],
  ['we', false],
  ['a-b-c', false],
  ['zür', false],
  ['-rich', true],
])('the text %s can be found within names: %s', (q, hasTrigram) => {
  expect(parseSearchQuery({ q }).hasTrigram).toBe(hasTrigram);
});
