import {
  formatTime,
  parameterReader,
  parseId,
  parseTime,
  parseUuid,
  singleValue,
  timeValue,
} from '../../src/core/parameters';

describe('parseTime', () => {
  it.each([
    ['2017-02-16', '2017-02-16T00:00:00Z'],
    ['2017-02-16T14:28', '2017-02-16T14:28:00Z'],
    ['2017-02-16T14:28:55', '2017-02-16T14:28:55Z'],
    ['2017-02-16T14:28:55Z', '2017-02-16T14:28:55Z'],
    ['2017-02-16T14:28:55.5Z', '2017-02-16T14:28:55.5Z'],
    ['2017-02-16T14:28:55.123456', '2017-02-16T14:28:55.123456Z'],
    ['2017-02-16T15:28:55+01:00', '2017-02-16T14:28:55Z'],
    ['2017-02-16T15:58:55.25+01:30', '2017-02-16T14:28:55.25Z'],
    // A `+` that is not encoded in a URL.
    ['2017-02-16T15:28:55 01:00', '2017-02-16T14:28:55Z'],
    ['2017-02-15T23:28:55-14:59', '2017-02-16T14:27:55Z'],
    ['2020-02-29T00:00:00', '2020-02-29T00:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999', '9999-12-31T23:59:59.999999Z'],
  ])('%s is %s', (text, time) => {
    expect(parseTime(text)).toBe(time);
  });

  it.each([
    ...['yesterday', '', '2020-01', '2017-02-16T', '2017-02-16 14:28:55', ' 2017-02-16', '2017-02-16\n'],
    ...['2021-02-29T00:00:00', '2017-02-30', '2017-13-01', '0000-01-01T00:00:00'],
    ...['2017-02-16T24:00:00', '2017-02-16T10:60:00', '2017-02-16T10:00:60', '2017-02-16T10:00:00.1234567'],
    ...['2017-02-16T10:00:00+25:00', '2020-01-01T00:00:00+15:00', '2017-02-16Z', '2017-02-16T10:00:00+01'],
    // In UTC, these are not in a year of four digits.
    ...['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ])('rejects %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
    expect(() => timeValue('at', text)).toThrow(/must be a time such as/);
  });

  it('has a format that sorts by time', () => {
    expect(['2017-02-16T14:28:55Z', '2017-02-16T14:28:55.5Z'].map(formatTime)).toEqual([
      '2017-02-16T14:28:55.000000',
      '2017-02-16T14:28:55.500000',
    ]);
  });
});

describe('parseId', () => {
  it.each([
    ['1', 1],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    // Integers that no id can be are not found, rather than malformed.
    ['0', 0],
    ['-1', 0],
    ['9007199254740992', 0],
    ['9223372036854775807', 0],
    ['9'.repeat(60), 0],
  ])('%s is %d', (text, id) => {
    expect(parseId(text)).toBe(id);
  });

  it.each([
    ...['', 'abc', '1.5', '1.0', '1e3', 'null', '1,2', '0x10', ' 1', '1 ', '+1', '1\n', '\0', '\u0661'],
  ])('rejects %j', (text) => {
    expect(parseId(text)).toBeUndefined();
  });
});

describe('parseUuid', () => {
  const uuid = '0b0c7a5e-9f3d-4f0a-8d2e-1c5b6a7d8e9f';

  it.each([uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')])('normalizes %s', (text) => {
    expect(parseUuid(text)).toBe(uuid);
  });

  it.each(['', uuid.slice(1), `${uuid}0`, `{${uuid}}`, `${uuid.slice(0, -1)}g`, '00000000'])(
    'rejects %j',
    (text) => {
      expect(parseUuid(text)).toBeUndefined();
    },
  );
});

describe('a query', () => {
  const query = { key: 'a', twice: ['a', 'b'], nested: { a: 'b' } };

  it('has each parameter once', () => {
    expect([singleValue(query, 'key'), singleValue(query, 'absent')]).toEqual(['a', undefined]);
    for (const name of ['twice', 'nested'])
      expect(() => singleValue(query, name)).toThrow(`${name}: can be given only once`);
  });

  it('has the parameters of its route only', () => {
    expect(parameterReader({ key: 'a' }, ['key', 'at'])('key')).toBe('a');
    expect(parameterReader({}, ['key', 'at'])('at')).toBeUndefined();
    for (const name of ['colour', 'constructor', '__proto__', 'KEY'])
      expect(() => parameterReader(Object.fromEntries([[name, '1']]), ['key'])).toThrow(
        `${name}: is not a parameter here`,
      );
    expect(() => parameterReader({ key: ['a', 'b'] }, ['key'])).toThrow('can be given only once');
  });
});
