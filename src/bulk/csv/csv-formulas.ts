/**
 * Keeps spreadsheets from evaluating the cells of a CSV file as formulas.
 *
 * A text contains a formula if it begins like one, or if a part of it does after `;`, a tab or a line break. A spreadsheet
 * whose separator is not the comma recognises quotes only at the beginning of a line, so quotes do not keep these parts in
 * one cell. JSON has no tab and no line break; after `;` the first character of a formula is escaped as in `\\u003d`.
 */

/** The beginning of a formula, in full width too. Spreadsheets skip spaces before it, and quotes where a cell begins. */
const FORMULA = /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;
const SEPARATOR = /[;\t\r\n]/;
const FORMULA_AFTER_SEMICOLON = /(;[\s"]*)([=+\-@\uff0b\uff0d\uff1d\uff20])/g;
/** What a spreadsheet drops at the beginning of a cell. */
const DROPPED = /^[\t\r\n]/;

/** Checks part by part: one pattern for the whole text would take quadratic time on many tabs. */
export const containsFormula = (text: string): boolean =>
  DROPPED.test(text) || text.split(SEPARATOR).some((part) => FORMULA.test(part));

/** The same JSON without a formula after a semicolon. A semicolon is always inside a string, and so is what follows. */
export const withoutFormulas = (json: string): string =>
  json.replace(
    FORMULA_AFTER_SEMICOLON,
    (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
