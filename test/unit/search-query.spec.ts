import { parseSearchQuery } from '../../src/search/search-query';

const networksOf = (q: string) => parseSearchQuery({ q }).networks.map(({ text }) => text);

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
    ['2001:DB8:', '2001:DB8:0:0:0:0:0:0/32'],
    ['2001:db8::', '2001:db8:0:0:0:0:0:0/32'],
    ['2001:0d', '2001:0d:0:0:0:0:0:0/32'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['2001:db8::1', '2001:db8::1'],
    ['::', '::'],
    ['fe80::/10', 'fe80::/10'],
  ])('of %s is %s', (text, network) => {
    expect(networksOf(text)).toEqual([network]);
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
    expect(networksOf(text)).toEqual([]);
  });
});

describe('the networks of the first digits of an IPv6 address', () => {
  it.each([
    ['2001:db8', ['2001:db8:0:0:0:0:0:0/32', '2001:db80:0:0:0:0:0:0/28']],
    [
      '1:2:3:4:5:6:7',
      ['1:2:3:4:5:6:7:0/112', '1:2:3:4:5:6:70:0/108', '1:2:3:4:5:6:700:0/104', '1:2:3:4:5:6:7000:0/100'],
    ],
    ['2001:abcd', ['2001:abcd:0:0:0:0:0:0/32']],
  ])('of %s are %j', (text, networks) => {
    expect(networksOf(text)).toEqual(networks);
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

it.each([
  ['aa:bb', 'aa[:.-]?bb'],
  ['AA-BB-CC-', 'aa[:.-]?bb[:.-]?cc'],
  ['aabb.ccdd', 'aa[:.-]?bb[:.-]?cc[:.-]?dd'],
  ['aa:bb:c', undefined],
  ['aabbcc', 'aa[:-]?bb[:.-]?cc'],
  ['525400AA01', '52[:-]?54[:.-]?00[:-]?aa[:.-]?01'],
  ['525400aa0', '52[:-]?54[:.-]?00[:-]?aa[:.-]?0'],
  ['525400aa013', '52[:-]?54[:.-]?00[:-]?aa[:.-]?01[:-]?3'],
  ['5254.00aa.01', '52[:.-]?54[:.-]?00[:.-]?aa[:.-]?01'],
  ['52-54-00-aa', '52[:.-]?54[:.-]?00[:.-]?aa'],
  ['aabbc', undefined],
  ['aabbccddeeff0', undefined],
  ['web-01', undefined],
  ['2001:db8', undefined],
])('the beginning %s of a MAC address is found as %s', (q, pattern) => {
  expect(parseSearchQuery({ q }).part?.mac?.regex).toBe(pattern);
});

it.each([
  ['AA-BB-CC-', '%aa%bb%cc%'],
  ['525400aa013', '%52%54%00%aa%01%3%'],
])('of the beginning %s of a MAC address, LIKE finds %s', (q, like) => {
  expect(parseSearchQuery({ q }).part?.mac?.like).toBe(like);
});
