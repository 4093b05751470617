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
export const containsFormula = (text: string): boolean =>
  REMOVED.test(text) || text.split(SEPARATOR).some((part) => FORMULA.test(part));

/** Escapes formulas after semicolons in JSON. A semicolon is always inside a string, and so is what follows it. */
export const escapeFormulas = (json: string): string =>
  json.replace(
    FORMULA_AFTER_SEMICOLON,
    (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
