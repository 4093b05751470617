import { setFlagsFromString } from 'node:v8';
import { formatJsonCell, parseJsonCell } from '../../src/bulk/csv/csv-cells';
import { importColumns } from '../../src/bulk/csv/csv-columns';
import { readCsv } from '../../src/bulk/csv/csv-reader';
import { rewordAjvMessage } from '../../src/governance/schemas/schema-dialects';
import { quoteLongIntegers } from '../../src/integrations/long-integers';
import { splitArrayElements } from '../../src/core/json/json-elements';
import { exponentDigits } from '../../src/core/json/number-exponents';

/** As long as a line of an import may be, in bytes. */
const LONGEST_LINE = 4 * 1024 * 1024;

/*
 * A process that has compiled many patterns compiles the later ones as here: each round of a loop then takes room on a
 * stack that has an end, and a text that is long enough is an error.
 */
beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
afterAll(() => setFlagsFromString('--regexp-optimization'));

const filled = (begin: string, fill: string, end: string): string =>
  begin + fill.repeat((LONGEST_LINE - begin.length - end.length) / fill.length) + end;

it.each([
  ['a text', filled('["', 'x', '"]')],
  ['a text of escapes', filled('["', '\\n', '"]')],
  ['a text with a long number before it', filled(`[${'1'.repeat(5_000)},"`, 'x', '"]')],
])('%s of the greatest length is read', (_, text) => {
  expect(exponentDigits(text)).toBe(0);
  expect(splitArrayElements(text).join()).toBe(text.slice(1, -1));
  expect(quoteLongIntegers(text).length).toBe(text.length + (text.startsWith('[1') ? 2 : 0));
});

it('a number of the greatest length is read', () => {
  const text = filled('[', '1', ']');
  expect(exponentDigits(text)).toBe(0);
  expect(splitArrayElements(text)).toEqual([text.slice(1, -1)]);
});

it('an exponent of the greatest length is read', () => {
  expect(exponentDigits(filled('[1e', '9', ']'))).toBe(Infinity);
});

it.each(['0', ',0000000', '\r0', '\t'])('a table of nothing but %j is refused, or read', async (fill) => {
  async function* table(): AsyncGenerator<Buffer> {
    const part = Buffer.from(fill.repeat(8192));
    for (let bytes = 0; bytes <= LONGEST_LINE; bytes += part.length) yield await Promise.resolve(part);
    throw new Error('more than it may have');
  }
  const read = async () => {
    for await (const line of readCsv(table(), importColumns([]))) expect(line).toBeDefined();
  };
  await expect(read()).rejects.toThrow(/more than it may have|columns/);
});

/** A text that takes hours where each sign in it is a new begin. */
const hard = (part: string): string => `a${part.repeat(1_000_000 / part.length)}x`;

it('cells with much space in them are read and written', () => {
  for (const text of [hard(' '), hard('\t'), hard(' ').trimEnd() + ' '.repeat(1_000_000)]) {
    expect(parseJsonCell(text)).toBe(JSON.stringify(text));
    expect(formatJsonCell(JSON.stringify(text))).toBe(text);
  }
  const number = '1'.repeat(1_000_000);
  expect(parseJsonCell(` ${number}\t`)).toBe(` ${number}\t`);
  expect(formatJsonCell(JSON.stringify(number))).toBe(JSON.stringify(number));
  expect(parseJsonCell(`${number}x`)).toBe(`"${number}x"`);
});

it('what a validator says of long names is told', () => {
  const keyword = `${hard('unknown keyword: "')}\n`;
  expect(rewordAjvMessage(`strict mode: unknown keyword: "${keyword}"`)).toBe(
    `unknown keyword: "${keyword}"`,
  );
  const ref = `${hard(' from id ')}\n`;
  expect(rewordAjvMessage(`can't resolve reference ${ref} from id #`)).toMatch(
    /^can't resolve reference a: a \$ref/,
  );
});
