import { parseAddress, parseNetwork } from '../../src/core/ip-address';

describe('parseAddress', () => {
  it.each([
    ['10.1.0.2', '10.1.0.2'],
    ['2001:DB8::1', '2001:DB8::1'],
    // PostgreSQL reads the spellings of IPv6 itself. This one stands for an IPv4 address.
    ['::ffff:10.1.0.2', '10.1.0.2'],
    ['::FFFF:a01:2', '10.1.0.2'],
    ['0:0:0:0:0:ffff:0a01:0002', '10.1.0.2'],
    // These do not: an address in the obsolete IPv4-compatible form, and one of NAT64.
    ['::10.1.0.2', '::10.1.0.2'],
    ['64:ff9b::10.1.0.2', '64:ff9b::10.1.0.2'],
  ])('%s is %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it.each(['10.0.0.1', '255.255.255.255', '0.0.0.0', '2001:db8::1', '::', '::1', 'fe80::1'])(
    'accepts %s',
    (text) => {
      expect(parseAddress(text)).toBe(text);
    },
  );

  it.each([
    ...['fe80::1%eth0', '10.1.0.2/32', '::1/128', '010.1.0.2', '10.1.2', ' 10.1.0.2', '0x0a010002', ''],
    ...['10.0.0.256', '10.0.0.0/24', 'node1', '::g'],
  ])('rejects %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe('parseNetwork', () => {
  it.each([
    ['10.1.0.0/16', '10.1.0.0/16', 32],
    ['::ffff:10.1.0.0/112', '10.1.0.0/16', 32],
    ['::ffff:a01:2/128', '10.1.0.2/32', 32],
    ['::ffff:0:0/96', '0.0.0.0/0', 32],
    ['::ffff:0:0/95', '::ffff:0:0/95', 128],
    ['2001:db8::/32', '2001:db8::/32', 128],
  ])('%s is %s', (given, text, length) => {
    expect(parseNetwork(given)).toEqual({ text, length });
  });

  it.each([
    ...['10.1.0.0/33', '::/129', '10.1.0.0/', '10.1.0.0/8/8', '::ffff:10.1.0.0/129', 'fe80::%eth0/64'],
    ...['10.0.0.0/-1', '10.0.0.0/a', '/24', 'node', '1', ''],
  ])('rejects %j', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
