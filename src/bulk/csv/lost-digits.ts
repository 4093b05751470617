/** How many significant digits spreadsheets keep. */
const SPREADSHEET_DIGITS = 15;

/** A decimal number: `digits` times ten to the power of `exponent`. */
interface Decimal {
  /** Without leading zeros. A text, because it takes long to print a large number. */
  readonly digits: string;
  readonly isNegative: boolean;
  readonly exponent: number;
}

/** @param json a JSON number without an exponent */
function parseDecimal(json: string): Decimal {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(json) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  return { digits, isNegative: sign === '-', exponent: -fraction.length };
}

/** The power of ten of the first digit. */
const magnitude = ({ digits, exponent }: Decimal): number => digits.length + exponent;

/**
 * Whether a cell has a number that a spreadsheet has rounded or cut: the stored number has more digits than spreadsheets keep, and the two
 * differ by less than the last digit that they keep. A cell in scientific notation is no number, but a text.
 * @param stored a JSON number as PostgreSQL prints it, without an exponent @param cell another one
 */
export function losesDigits(stored: string, cell: string): boolean {
  const [before, after] = [parseDecimal(stored), parseDecimal(cell)];
  if (before.digits.length <= SPREADSHEET_DIGITS) return false;
  // Rounding up can make one digit more.
  if (Math.abs(magnitude(before) - magnitude(after)) > 1) return false;
  const lastDigit = magnitude(before) - SPREADSHEET_DIGITS;
  const exponent = Math.min(before.exponent, after.exponent, lastDigit);
  const scale = (from: number): bigint => 10n ** BigInt(from - exponent);
  const scaled = ({ digits, isNegative, exponent: from }: Decimal): bigint =>
    BigInt(isNegative ? `-${digits}` : digits) * scale(from);
  const difference = scaled(before) - scaled(after);
  return difference !== 0n && (difference < 0n ? -difference : difference) < scale(lastDigit);
}
