import { relativeTime } from '../src/components/relative-time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

describe('a relative time', () => {
  it.each([
    [0, 'now'],
    [-59_999, 'now'],
    // The clock of the service may be ahead.
    [500, 'now'],
    [-MINUTE, '1m ago'],
    [-59.9 * MINUTE, '59m ago'],
    [-HOUR, '1h ago'],
    [-23.9 * HOUR, '23h ago'],
    [-DAY, 'yesterday'],
    [-29.9 * DAY, '29d ago'],
    [-31 * DAY, 'last mo.'],
    [-364 * DAY, '11mo ago'],
    [-800 * DAY, '2y ago'],
    [3 * DAY, 'in 3d'],
  ])('of %i ms is in whole units', (milliseconds, text) => {
    expect(relativeTime(milliseconds, format)).toBe(text);
  });
});
