import {
  combineFaults,
  FailedReferenceError,
  isLineFault,
  missingOf,
  MissingReferenceError,
} from '../../src/bulk/import/line-faults';
import { TemporarySpaceError } from '../../src/bulk/import/temporary-space';
import { InventoryError } from '../../src/core/errors';

const invalid = InventoryError.invalid('note', 'invalid_type', 'must be a string');
const noParent = new MissingReferenceError('parent', 'there is no device "p" in this project');
const noRegion = new MissingReferenceError('region', 'there is no region "r" in this project', [
  { kind: 'region', name: 'r' },
]);
const faulty = new FailedReferenceError('cloud', 'cloud "k"', 7);

describe('the faults of a line', () => {
  it.each([
    ['none', [], undefined],
    ['one', [noParent], ['validation_exception', 'parent: there is no device "p" in this project', []]],
    [
      'several, with the code of the first',
      [invalid, noParent, noRegion],
      [
        'invalid_request',
        'note: must be a string; parent: there is no device "p" in this project; region: there is no region "r" in this project',
        [{ kind: 'region', name: 'r' }],
      ],
    ],
    [
      'several that are combined already',
      [combineFaults([noRegion, noParent])!, invalid],
      [
        'validation_exception',
        'region: there is no region "r" in this project; parent: there is no device "p" in this project; note: must be a string',
        [{ kind: 'region', name: 'r' }],
      ],
    ],
    [
      'a reference to a faulty line alone',
      [faulty],
      ['validation_exception', 'cloud: the cloud "k" of line 7 was not imported either', []],
    ],
    [
      'a reference to a faulty line beside another fault, which hides it',
      [faulty, invalid],
      ['invalid_request', 'note: must be a string', []],
    ],
  ])('are combined: %s', (_, faults, expected) => {
    const error = combineFaults(faults);
    expect(error && [error.code, error.message, missingOf(error)]).toEqual(expected);
  });

  it('have the details of all', () => {
    expect(combineFaults([invalid, noParent])?.details.map(({ field, code }) => [field, code])).toEqual([
      ['note', 'invalid_type'],
      ['parent', 'not_found'],
    ]);
  });

  it.each([
    [true, invalid],
    [true, noRegion],
    [false, new InventoryError('unavailable', 'The database is not available.')],
    [false, new TemporarySpaceError('payload_too_large', 'The import needs too much space.')],
    [false, new Error('a defect')],
  ])('are errors that concern the line only: %s for %s', (expected, error) => {
    expect(isLineFault(error)).toBe(expected);
  });
});
