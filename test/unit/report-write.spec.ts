import { doneText } from '../../client/src/commands/report-write';

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
