import { setFlagsFromString } from 'node:v8';
import { formatJsonCell, parseJsonCell, importColumns } from '../../src/bulk/csv/csv-columns';
import { readCsv } from '../../src/bulk/csv/csv-reader';
import { rewordAjvMessage } from '../../src/governance/schemas/schema-dialects';
import { quoteLongIntegers } from '../../src/integrations/long-integers';
import { splitJsonArray, exponentDigits } from '../../src/core/json/json-text';

/** The maximum length (bytes) of a line of an import. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/*
 * A process that has compiled many regular expressions stops optimizing them. Each iteration of a loop then uses stack
 * space, and a long text overflows the stack.
 */
beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
afterAll(() => setFlagsFromString('--regexp-optimization'));

const filled = (begin: string, fill: string, end: string): string =>
  begin + fill.repeat((MAX_LINE_LENGTH - begin.length - end.length) / fill.length) + end;

it.each([
  ['a text', filled('["', 'x', '"]')],
  ['a text of escapes', filled('["', '\\n', '"]')],
  ['a text with a long number before it', filled(`[${'1'.repeat(5_000)},"`, 'x', '"]')],
])('%s of the maximum length is read', (_, text) => {
  expect(exponentDigits(text)).toBe(0);
  expect(splitJsonArray(text).join()).toBe(text.slice(1, -1));
  expect(quoteLongIntegers(text).length).toBe(text.length + (text.startsWith('[1') ? 2 : 0));
});

it('a number of the maximum length is read', () => {
  const text = filled('[', '1', ']');
  expect(exponentDigits(text)).toBe(0);
  expect(splitJsonArray(text)).toEqual([text.slice(1, -1)]);
});

it('an exponent of the maximum length is read', () => {
  expect(exponentDigits(filled('[1e', '9', ']'))).toBe(Infinity);
});

it.each(['0', ',0000000', '\r0', '\t'])(
  'a table that only contains %j does not overflow the stack',
  async (fill) => {
    async function* table(): AsyncGenerator<Buffer> {
      const part = Buffer.from(fill.repeat(8192));
      for (let bytes = 0; bytes <= MAX_LINE_LENGTH; bytes += part.length) yield await Promise.resolve(part);
      throw new Error('the end of the table');
    }
    const read = async () => {
      for await (const line of readCsv(table(), importColumns([]))) expect(line).toBeDefined();
    };
    await expect(read()).rejects.toThrow(/the end of the table|columns/);
  },
);

/** A text on which a backtracking pattern takes hours. */
const hard = (part: string): string => `a${part.repeat(1_000_000 / part.length)}x`;

it('cells with long white space are read and written', () => {
  for (const text of [hard(' '), hard('\t'), hard(' ').trimEnd() + ' '.repeat(1_000_000)]) {
    expect(parseJsonCell(text)).toBe(JSON.stringify(text));
    expect(formatJsonCell(JSON.stringify(text))).toBe(text);
  }
  const number = '1'.repeat(1_000_000);
  expect(parseJsonCell(` ${number}\t`)).toBe(` ${number}\t`);
  expect(formatJsonCell(JSON.stringify(number))).toBe(JSON.stringify(number));
  expect(parseJsonCell(`${number}x`)).toBe(`"${number}x"`);
});

it('validator messages with long names are reworded', () => {
  const keyword = `${hard('unknown keyword: "')}\n`;
  expect(rewordAjvMessage(`strict mode: unknown keyword: "${keyword}"`)).toBe(
    `unknown keyword: "${keyword}"`,
  );
  const ref = `${hard(' from id ')}\n`;
  expect(rewordAjvMessage(`can't resolve reference ${ref} from id #`)).toMatch(
    /^can't resolve reference a: a \$ref/,
  );
});
