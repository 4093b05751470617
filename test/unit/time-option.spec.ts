import { absoluteTime } from '../../client/src/commands/shared-options';

describe('a time on the command line', () => {
  const now = new Date('2026-11-20T14:37:06.500Z');

  it.each([
    ['now', '2026-11-20T14:37:06.500Z'],
    ['2h ago', '2026-11-20T12:37:06.500Z'],
    ['2 hours ago', '2026-11-20T12:37:06.500Z'],
    ['30m ago', '2026-11-20T14:07:06.500Z'],
    ['30 min ago', '2026-11-20T14:07:06.500Z'],
    ['1 Day Ago', '2026-11-19T14:37:06.500Z'],
    ['1w ago', '2026-11-13T14:37:06.500Z'],
  ])('may be relative: %s', (text, expected) => {
    expect(absoluteTime(text, now)).toBe(expected);
  });

  it.each([
    ['today', 20],
    ['yesterday', 19],
  ])('may be a local midnight: %s', (text, day) => {
    expect(absoluteTime(text, new Date(2026, 10, 20, 14, 37))).toBe(new Date(2026, 10, day).toISOString());
  });

  it.each(['2026-11-20', '2026-11-20T14:37:06+01:00', 'tomorrow', '2x ago', 'ago', ''])(
    'is otherwise left to the service: %j',
    (text) => {
      expect(absoluteTime(text, now)).toBe(text);
    },
  );
});
