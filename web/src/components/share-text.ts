const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Smaller shares that are not zero are shown as `<0.1%`. */
const MIN_SHARE = 0.001;

/** A part of a total in percent; empty if the total is 0. */
export function shareText(part: number, total: number): string {
  if (total === 0) return '';
  // Not 0 % of something.
  return part > 0 && part / total < MIN_SHARE
    ? `<${percent.format(MIN_SHARE)}`
    : percent.format(part / total);
}
