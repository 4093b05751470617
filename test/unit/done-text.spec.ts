import { doneText } from '../../client/src/commands/confirmed-write';

it.each([
  [
    'Set kernel on region north',
    3,
    undefined,
    'Set kernel on region north. 3 devices resolve another value.',
  ],
  ['Updated host web-1', undefined, undefined, 'Updated host web-1.'],
  [
    'Did 2 operations with change 60',
    1,
    '60',
    'Did 2 operations with change 60. 1 device resolves another value. Revert it with: muster change revert 60',
  ],
  [
    'Applied proposal 1 "NTP" with change 61',
    undefined,
    '61',
    'Applied proposal 1 "NTP" with change 61. Revert it with: muster change revert 61',
  ],
  [
    'Reverted change 61 with change 62: update region north',
    0,
    '62',
    'Reverted change 61 with change 62: update region north. No device resolves another value. Revert it with: muster change revert 62',
  ],
])('%s, on %j devices, with the change %j', (text, devices, change, message) => {
  expect(doneText(text, devices, change)).toBe(message);
});
