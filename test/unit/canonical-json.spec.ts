import { canonicalJson, exactJson } from '../../client/src/api/exact-json';

const canonical = (text: string): string => canonicalJson(exactJson.parse(text));

describe('canonical JSON', () => {
  it.each([
    ['1', '1'],
    ['-1', '-1'],
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0.0'],
    ['1.10', '1.10'],
    ['1.0', '1.0'],
    ['1e21', '1000000000000000000000'],
    ['1E+2', '100'],
    ['1.5e3', '1500'],
    ['1.50e1', '15.0'],
    ['12.345e1', '123.45'],
    ['1e-07', '0.0000001'],
    ['-12e-1', '-1.2'],
    ['0e5', '0'],
    ['0.00e1', '0.0'],
    ['9007199254740993', '9007199254740993'],
    ['1e99999', '1e99999'],
  ])('writes the number %s as PostgreSQL stores it: %s', (number, expected) => {
    expect(canonical(number)).toBe(expected);
  });

  it('sorts members, and keeps everything else', () => {
    const text = '{"b":[2,{"d":null,"c":"\\u00e9"}],"a":true,"__proto__":{"x":1},"":0}';
    expect(canonical(text)).toBe('{"":0,"__proto__":{"x":1},"a":true,"b":[2,{"c":"é","d":null}]}');
  });
});
