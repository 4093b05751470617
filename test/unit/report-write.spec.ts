import { doneText, revertLinesOfImport } from '../../client/src/commands/report-write';

it.each([
  [
    'Set kernel on region north',
    { devices: 3 },
    'Set kernel on region north. 3 devices resolve another value.',
  ],
  ['Updated host web-1', {}, 'Updated host web-1.'],
  [
    'Did 2 operations with change 60',
    { devices: 1, changes: ['60'] },
    'Did 2 operations with change 60. 1 device resolves another value. Revert it with: muster change revert 60',
  ],
  [
    'Applied proposal 1 "NTP" with change 61',
    { changes: ['61'] },
    'Applied proposal 1 "NTP" with change 61. Revert it with: muster change revert 61',
  ],
  [
    'Reverted change 61 with change 62: update region north',
    { devices: 0, changes: ['62'] },
    'Reverted change 61 with change 62: update region north. No device resolves another value. Revert it with: muster change revert 62',
  ],
  [
    'Deleted 2 hosts',
    { changes: ['63', '64'] },
    'Deleted 2 hosts. Revert them with: muster change revert 63 64',
  ],
  // Too many to name.
  ['Deleted 21 hosts', { changes: Array.from({ length: 21 }, (_, i) => String(i)) }, 'Deleted 21 hosts.'],
])('%s, of %j', (text, done, message) => {
  expect(doneText(text, done)).toBe(message);
});

describe('the commands that revert the changes of an import', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

  it.each([
    [0, []],
    [1, ['Revert it with: muster change revert 1']],
    [3, ['Revert them with: muster change revert 1 2 3']],
    [100, [`Revert them with: muster change revert ${ids(100).join(' ')}`]],
    [
      102,
      [
        'Revert the 102 changes with, in this order:',
        `  muster change revert ${ids(102).slice(2).join(' ')}`,
        '  muster change revert 1 2',
      ],
    ],
  ])('are named, of %d', (count, lines) => {
    expect(revertLinesOfImport(ids(count))).toEqual(lines);
  });

  it('are not named without end', () => {
    const lines = revertLinesOfImport(ids(1_005));
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe('  and the 5 changes before them: see "muster change list"');
  });
});
