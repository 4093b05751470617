import { ApiError } from '@muster/api-types';
import { itemFaultsOf } from '../src/components/item-faults';

const error = (message: string, details: readonly (readonly [field: string, message: string])[]) =>
  new ApiError(
    400,
    'invalid_request',
    message,
    details.map(([field, text]) => ({ field, message: text })),
    'r-1',
  );

describe('what is wrong with the items of a write', () => {
  it.each([
    [
      'an operation that was rejected: its sentence',
      error('operations[1]: The name web-1 is already in use.', [
        ['operations[1].name', 'web-1 is already in use'],
      ]),
      [{ index: 1, field: 'name', message: 'The name web-1 is already in use.' }],
    ],
    [
      'several members of it',
      error('operations[12]: name: is too long; note: is too long', [
        ['operations[12].name', 'is too long'],
        ['operations[12].note', 'is too long'],
      ]),
      [
        { index: 12, field: 'name', message: 'name: is too long' },
        { index: 12, field: 'note', message: 'note: is too long' },
      ],
    ],
    [
      'several operations',
      error(
        'operations[1]: The name a; b is already in use.; operations[4]: variables.port: must be integer; and 30 more',
        [
          ['operations[1].name', 'a; b is already in use'],
          ['operations[4].variables.port', 'must be integer'],
        ],
      ),
      [
        { index: 1, field: 'name', message: 'The name a; b is already in use.' },
        { index: 4, field: 'variables.port', message: 'variables.port: must be integer' },
      ],
    ],
    [
      'an operation as a whole',
      error('operations[0]: You may not do this.', [['operations[0]', 'x']]),
      [{ index: 0, field: undefined, message: 'You may not do this.' }],
    ],
    [
      'resources of an array, each by its number',
      error('[0].name: is in use; [2]: must be an object', [
        ['[0].name', 'is in use'],
        ['[2]', 'must be an object'],
      ]),
      [
        { index: 0, field: 'name', message: 'name: is in use' },
        { index: 2, field: undefined, message: 'must be an object' },
      ],
    ],
    ['no item', error('X-Change-Reason: is required', [['X-Change-Reason', 'is required']]), []],
    ['another error', new Error('operations[1]: x'), []],
    ['no error', null, []],
  ])('is read from the error of %s', (_, given, expected) => {
    expect(itemFaultsOf(given)).toEqual(expected);
  });
});
