import { CONNECTION_LIFETIME_SECONDS, statementName } from '../../src/database/sql';

const LIFETIME = CONNECTION_LIFETIME_SECONDS * 1000;

it('names 500 statements, and others instead of those that no connection has any more', () => {
  const texts = Array.from({ length: 500 }, (_, i) => `SELECT ${String(i)}`);
  const [first = '', second = ''] = texts;
  const names = texts.map((text) => statementName(text, 0));
  expect(new Set(names)).toHaveProperty('size', 500);
  expect(statementName('SELECT other', LIFETIME)).toBeUndefined();

  expect(statementName(first, LIFETIME)).toBe(names[0]);
  expect(statementName('SELECT other', 2 * LIFETIME)).toEqual(expect.any(String));
  for (const text of texts.filter((one) => one !== second))
    expect(statementName(text, 2 * LIFETIME)).toBe(names[texts.indexOf(text)]);
  // It was the one that had not been used for the longest time.
  expect(statementName(second, 2 * LIFETIME)).toBeUndefined();
});
