import { isIP } from 'node:net';
import { comparedKey, problemOf, typeHint } from '../src/components/filter-problem';
import { isAddressOrNetwork } from '../src/components/ip-address';
import { variableFiltersOf } from '../src/components/variable-filters';

it.each([
  [{ where: ['kernel = 6.8.1'] }, /^where: at character 10: .*a text wants quotes: kernel = "6\.8\.1"$/],
  [{ where: ['kernel < ten'] }, /^where: at character 10: .*a text wants quotes: kernel < "ten"$/],
  [{ where: ['kernel = "6.8'] }, /^where: at character 10: .*closing double quote$/],
  [{ where: ['rack.row in [3, 4'] }, /expected "," or "\]"/],
  [{ where: ['kernel'] }, /for example kernel exists$/],
  [{ vars: 'rack.row:4,kernel:6.8.1' }, /^vars: at character/],
  [{ ip: '10.1.0' }, /^must be an IP address or a network$/],
  [{ label: ['web', 'a,b'] }, /^must be the name of one label/],
  [{ without_label: ['a,b'] }, /^must be the name of one label/],
])('%j cannot be right', (search, expected) => {
  expect(problemOf(search)).toMatch(expected);
});

it.each([
  [{ where: ['kernel < "6.12"', 'rack.row in [3, 4]', 'backup missing', '"x-y".*.mac ~= "AA"'] }],
  [{ vars: 'rack.row:4,site:"north"' }],
  [{ ip: '10.1.0.0/24', label: ['web'], name_contains: 'a,b' }],
])('%j can be right', (search) => {
  expect(problemOf(search)).toBeUndefined();
});

const ADDRESSES = [
  ...['10.1.0.1', '0.0.0.0', '255.255.255.255', '256.1.1.1', '01.2.3.4', '00.0.0.0', '1.2.3', '1.2.3.4.'],
  ...['1.2.3.4.5', '', ' 1.2.3.4', '::', '::1', 'FFFF::', '::ffff:1.2.3.4', '::01.2.3.4', '1::2::3'],
  ...['12345::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7', '::1]@x[', '\t::1', 'a.example', '::1.2.3'],
];

it.each(ADDRESSES)('%j is an address for the page if it is one for the service', (address) => {
  const version = isIP(address);
  expect(isAddressOrNetwork(address)).toBe(version !== 0);
  expect(isAddressOrNetwork(`${address}/32`)).toBe(version !== 0);
  expect(isAddressOrNetwork(`${address}/33`)).toBe(version === 6);
  expect(isAddressOrNetwork(`${address}/129`)).toBe(false);
});

it('an address with a scope is none', () => {
  expect(isAddressOrNetwork('fe80::1%eth0')).toBe(false);
});

const values = (...all: unknown[]) => ({
  distinct: all.length,
  values: all.map((value) => ({ value, devices: 1 })),
});

/** @param other `numbers, write kernel < 6.12` */
const missed = (devices: string, other?: string) =>
  `${devices}, which this cannot find${other === undefined ? '' : `; for ${other}`}`;

it.each([
  ['kernel < 6.12', values('6.8', '6.12'), 'The values are texts: write kernel < "6.12"'],
  ['kernel in [6.8, 6.12]', values('6.8'), 'The values are texts: write kernel in ["6.8", "6.12"]'],
  ['rack.row = "4"', values({ row: 4 }, { row: 5 }), 'The values are numbers: write rack.row = 4'],
  ['edge = "true"', values(true, null), 'The values are booleans and null: write edge = true'],
  ['disks[*].size > "480"', values([{ size: 480 }]), 'The values are numbers: write disks[*].size > 480'],
  ['kernle exists', values(), 'No device has a value of kernle.'],
  // Some values have the type of the condition.
  [
    'kernel < 6.12',
    values('6.8', '6.9', 6.8),
    missed('2 devices have texts in kernel', 'texts, write kernel < "6.12"'),
  ],
  [
    'kernel < "6.12"',
    values('6.8', 6.8),
    missed('1 device has numbers in kernel', 'numbers, write kernel < 6.12'),
  ],
  // The filter for numbers finds none of them.
  [
    'kernel < "6.12"',
    values('6.8', 7),
    missed('1 device has numbers in kernel', 'numbers, write kernel < 6.12'),
  ],
  [
    'rack.row >= 4',
    values({ row: 4 }, { row: '5' }),
    missed('1 device has texts in rack.row', 'texts, write rack.row >= "4"'),
  ],
  ['kernel < "6.12.1"', values('6.8', 6.8), missed('1 device has numbers in kernel')],
  ['kernel ^= "6.1"', values('6.8', 6.11), missed('1 device has numbers in kernel')],
  ['kernel = 6.8', values('6.8', 6.8), missed('1 device has texts in kernel', 'texts, write kernel = "6.8"')],
  [
    'kernel in [6.8, 6.9]',
    values('6.8', '6.9', 6.8),
    missed('2 devices have texts in kernel', 'texts, write kernel in ["6.8", "6.9"]'),
  ],
  ['edge = true', values('true', true), missed('1 device has texts in edge', 'texts, write edge = "true"')],
  [
    'kernel < 6.12',
    { ...values('6.8', 6.8), distinct: 3 },
    missed('At least 1 device has texts in kernel', 'texts, write kernel < "6.12"'),
  ],
  // Equality finds all that is meant.
  ['vlan = 4', values('trunk', 4), undefined],
  ['kernel = "6.8"', values('6.8', 6.9), undefined],
  // A list with both is found.
  ['kernel < 6.12', values(['6.8', 6.8], 6.8), undefined],
  // No other form, or none that would match.
  ['kernel < "6.12"', values('6.8'), undefined],
  ['kernel ^= "6"', values(6), undefined],
  ['kernel = 6', values(true), undefined],
  ['kernel != 6.8', values('6.8'), undefined],
  ['kernel exists', values('6.8'), undefined],
  // Not a part that is known.
  ['rack.unit = 4', values({ row: 4 }), undefined],
])('of the condition %s with %j, the hint is %s', (text, known, expected) => {
  expect(typeHint({ parameter: 'where', text }, known)).toBe(expected);
});

it('the variable of a condition is known, unless it is one that unknown variables meet', () => {
  const filters = variableFiltersOf({ vars: 'a:1', where: ['"x-y" = 1', 'b.c exists', 'd missing'] });
  expect(filters.map(comparedKey)).toEqual(['a', 'x-y', 'b', undefined]);
});
