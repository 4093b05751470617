import type { MemberType } from '../../resources/members';
import { isTextDeeperThan, MAX_JSON_DEPTH } from '../../core/json/json-text';

/** Whitespace that JSON allows around a value. */
const WHITESPACE = ' \t\n\r';
/** Longer texts are parsed. `true`, `null` and most numbers are shorter. */
const MAX_SCALAR_LENGTH = 64;
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/**
 * Whether a text is valid JSON. It is only parsed if its first characters do not decide. A text that is nested too
 * deeply counts as JSON without being parsed, because parsing it could take seconds: an import rejects the line, and an
 * export writes such a string in quotes.
 */
function isJson(text: string): boolean {
  const bare = trimJson(text);
  if (bare.length <= MAX_SCALAR_LENGTH && !/^["[{]/.test(bare)) return SCALAR.test(bare);
  if (!/^["[{\d-]/.test(bare)) return false;
  if (isTextDeeperThan(MAX_JSON_DEPTH, bare)) return true;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    return false;
  }
}

/** Does not use a regular expression: it takes quadratic time on long cells with much whitespace. */
function trimJson(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.includes(text.charAt(start))) start++;
  while (start < end && WHITESPACE.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** A cell that removes a value. An empty cell leaves the value as it is. A text with this content is encoded as JSON. */
export const UNSET = '(unset)';

/** Whether a cell of a text column is encoded as JSON. */
const isEncoded = (text: string): boolean => text === 'null' || (text.startsWith('"') && isJson(text));

/** Whether JSON is a number. */
const isNumber = (json: string): boolean => /^\s*[\d-]/.test(json);

/**
 * Whether JSON is a number that prints without some characters of it: `6.10` is 6.1, and `1e3` is 1000. A spreadsheet or a
 * program that reads the number does not see them. Does not use a regular expression for the whole number, which can be long.
 */
function losesCharacters(json: string): boolean {
  const bare = trimJson(json);
  if (!/^[\d-]/.test(bare)) return false;
  return /e/i.test(bare) || bare === '-0' || (bare.includes('.') && bare.endsWith('0'));
}

/** Digits that a spreadsheet takes for a number. */
const DECIMAL = /^\s*[+-]?\d+(?:\.\d*)?\s*$/;

/** Whether a text is no number in JSON, but looks like one: `0123` and `+5`. Longer ones are not recognised. */
const isPaddedNumber = (text: string): boolean =>
  text.length <= MAX_SCALAR_LENGTH && DECIMAL.test(text) && !isJson(text);

/** Whether a cell would be a number, but is a text because the number would lose characters: `6.10`, `0123` and `+5`. */
const isTextLikeNumber = (cell: string): boolean =>
  (losesCharacters(cell) && isJson(cell)) || isPaddedNumber(cell);

/** The shortest form of a number without an exponent, as PostgreSQL prints it: `6.1` for 6.10. Other JSON stays as it is. */
function shortestNumber(json: string): string {
  if (!losesCharacters(json) || !json.includes('.') || /e/i.test(json)) return json;
  let end = json.length;
  while (json.charAt(end - 1) === '0') end--;
  return json.slice(0, json.charAt(end - 1) === '.' ? end - 1 : end);
}

/** Formats the value of a variable. @param json as PostgreSQL prints it */
export const formatVariableCell = (json: string): string => formatJsonCell(shortestNumber(json));

/** Formats any JSON value. @param json as PostgreSQL prints it */
export function formatJsonCell(json: string): string {
  if (!json.startsWith('"')) return escapeFormulas(json);
  const text = JSON.parse(json) as string;
  return text === '' || text === UNSET || containsFormula(text) || isJson(text) ? escapeFormulas(json) : text;
}

/** Formats a string for a text column. A blank cell would leave the value as it is. */
export const formatTextCell = (text: string): string =>
  text.trim() === '' || text === UNSET || containsFormula(text) || isEncoded(text)
    ? escapeFormulas(JSON.stringify(text))
    : text;

/** Formats a name, around whose cell spaces would be ignored. */
const formatNameCell = (name: string): string =>
  name === name.trim() ? formatTextCell(name) : escapeFormulas(JSON.stringify(name));

/** Parses a cell for a variable, as JSON text. It never loses a character: `6.10`, `1e3` and `007` are texts. */
export const parseVariableCell = (cell: string): string =>
  isTextLikeNumber(cell) ? JSON.stringify(cell) : parseJsonCell(cell);

/** Parses a cell for any JSON value, as JSON text. */
export function parseJsonCell(cell: string): string {
  if (cell === UNSET) return 'null';
  // JSON can contain line breaks between tokens, but an import line must not.
  return isJson(cell) ? cell.replace(/[\n\r]/g, ' ') : JSON.stringify(cell);
}

/** Parses a cell for a value whose numbers and booleans are texts, as JSON text: `6.8` is `"6.8"`. */
export function parseTextsCell(cell: string): string {
  const json = parseJsonCell(cell);
  return isNumber(json) || /^\s*(?:true|false)/.test(json) ? JSON.stringify(cell) : json;
}

/** Parses a cell of a text column, as JSON text. */
export function parseTextCell(cell: string): string {
  if (cell === UNSET) return 'null';
  return isEncoded(cell) ? cell : JSON.stringify(cell);
}

/** Parses a cell of a name, as JSON text. Nobody sees the spaces that a spreadsheet has around a text. */
const parseNameCell = (cell: string): string => parseTextCell(cell.trim());

/**
 * Prevents CSV injection: spreadsheets must not evaluate the cells of a CSV file as formulas.
 *
 * A text contains a formula if it, or a part of it after `;`, a tab or a line break, starts like one. A spreadsheet
 * that separates cells by another character than the comma recognises quotes only at the start of a line, so it can
 * split a quoted cell into these parts. JSON text contains no tab and no line break. After `;`, the first character of
 * a formula is escaped, as in `\\u003d`.
 */

/**
 * The start of a formula, also in full-width characters. Spreadsheets skip spaces, and quotes at the start of a cell.
 */
const FORMULA = /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;
const SEPARATOR = /[;\t\r\n]/;
const FORMULA_AFTER_SEMICOLON = /(;[\s"]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g;
/** Characters that a spreadsheet removes from the start of a cell. */
const REMOVED = /^[\t\r\n]/;

/** Checks each part: one regular expression for the whole text would take quadratic time on many tabs. */
const containsFormula = (text: string): boolean =>
  REMOVED.test(text) || text.split(SEPARATOR).some((part) => FORMULA.test(part));

/** Escapes formulas after semicolons in JSON. A semicolon is always inside a string, and so is what follows it. */
const escapeFormulas = (json: string): string =>
  json.replace(
    FORMULA_AFTER_SEMICOLON,
    (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A column of an imported CSV file. */
export interface CsvColumn {
  /** The name of the column and of the member. */
  readonly name: string;
  /** Parses a cell that is not empty, as JSON text. */
  readonly parse: (cell: string) => string;
}

/** A column that is also exported. */
export interface ExportedColumn extends CsvColumn {
  /** Formats a value. The cell of a value that is not set is empty. */
  readonly format: (value: unknown) => string;
}

/** The maximum number of columns in a spreadsheet. */
export const MAX_COLUMNS = 16_384;

/** The prefix of variable columns. The key follows it. */
export const VARIABLE_COLUMN_PREFIX = 'variables.';

/** The end of the name of a variable column whose numbers and booleans are texts. No key contains a colon. */
const TEXTS_SUFFIX = ':text';

/** The beginning of a list or object. `{{` and `{%` begin templates. */
const DOCUMENT_START = /^\s*(?:\[|\{(?![{%]))/;

/** Whether a cell begins like a list or object, but is a text, because it is not JSON: `[10.1.0.7]`. */
const isBrokenDocument = (cell: string): boolean => DOCUMENT_START.test(cell) && !isJson(cell);

/** A column of a variable. */
export interface VariableColumn {
  readonly key: string;
  /** Whether a cell is likely a list or object with a mistake. None is in a column of texts. */
  readonly isBroken: (cell: string) => boolean;
  /** Parses a cell that is not empty, as JSON text. */
  readonly parse: (cell: string) => string;
}

/** @returns undefined if the name is not that of the column of a variable */
export function variableColumn(name: string): VariableColumn | undefined {
  if (!name.startsWith(VARIABLE_COLUMN_PREFIX)) return undefined;
  const key = name.slice(VARIABLE_COLUMN_PREFIX.length);
  return key.endsWith(TEXTS_SUFFIX)
    ? { key: key.slice(0, -TEXTS_SUFFIX.length), parse: parseTextsCell, isBroken: () => false }
    : { key, parse: parseVariableCell, isBroken: isBrokenDocument };
}

const textColumn = (name: string): ExportedColumn => ({
  name,
  format: (value) => (typeof value === 'string' ? formatTextCell(value) : ''),
  parse: parseTextCell,
});

/** A column of names, addresses or other identifiers. */
const nameColumn = (name: string): ExportedColumn => ({
  name,
  format: (value) => (typeof value === 'string' ? formatNameCell(value) : ''),
  parse: parseNameCell,
});

/** Spreadsheets write booleans in upper case. */
const booleanColumn = (name: string): ExportedColumn => ({
  name,
  format: String,
  parse: (cell) => (/^\s*(?:true|false)\s*$/i.test(cell) ? cell.trim().toLowerCase() : parseNameCell(cell)),
});

const isJsonArray = (text: string): boolean => /^[ \t\n\r]*\[/.test(text) && isJson(text);

/**
 * Labels are separated by commas, which their names cannot contain. A list with a name that starts or ends with a space
 * is formatted as a JSON array, because the parser trims names.
 */
function formatLabels(names: readonly string[]): string {
  const joined = names.join(',');
  return isJsonArray(joined) || names.some((name) => name !== name.trim())
    ? formatJsonCell(JSON.stringify(names))
    : formatTextCell(joined);
}

const labelsColumn: ExportedColumn = {
  name: 'labels',
  format: (value) => (Array.isArray(value) && value.length > 0 ? formatLabels(value) : ''),
  parse: (cell) => {
    if (cell === UNSET) return '[]';
    if (isJsonArray(cell)) return parseJsonCell(cell);
    const names = JSON.parse(parseTextCell(cell)) as string | null;
    return JSON.stringify(names === '' ? [] : (names?.split(',').map((name) => name.trim()) ?? null));
  },
};

/** A column of any JSON value, which is exported as text: its numbers keep all digits. */
const jsonColumn = (name: string): ExportedColumn => ({
  name,
  format: (json) => (typeof json === 'string' ? formatJsonCell(json) : ''),
  parse: parseJsonCell,
});

const integerColumn = (name: string): ExportedColumn => ({
  name,
  format: (value) => (typeof value === 'number' ? String(value) : ''),
  parse: parseJsonCell,
});

/** A member of lines. */
interface CsvMember {
  readonly lineName: string;
  readonly type: MemberType;
}

const COLUMNS: Readonly<Partial<Record<MemberType, (name: string) => ExportedColumn>>> = {
  'long text': textColumn,
  boolean: booleanColumn,
  integer: integerColumn,
  json: jsonColumn,
  labels: () => labelsColumn,
};

/** The columns of a CSV file for members of lines. Those of variables follow them. */
export const exportColumns = (members: readonly CsvMember[]): ExportedColumn[] =>
  members.map(({ lineName, type }) => (COLUMNS[type] ?? nameColumn)(lineName));

/** The columns that an imported CSV file of devices can have, by name. */
export const importColumns = (members: readonly CsvMember[]): ReadonlyMap<string, CsvColumn> =>
  new Map([nameColumn('kind'), ...exportColumns(members)].map((column) => [column.name, column]));
