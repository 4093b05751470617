import {
  errorsOf,
  errorWithCode,
  InventoryError,
  type ItemError,
  OperationsError,
} from '../../src/core/errors';

const faultAt = (index: number, message = 'no'): ItemError => ({
  index,
  error: new InventoryError('conflict', message, [{ field: 'name', code: 'duplicate', message }]),
});
const forbiddenAt = (index: number): ItemError => ({
  index,
  error: InventoryError.forbidden('You may not.', ['labels:write']),
});

describe('the error of several operations', () => {
  it('limits the length of each message, wherever it is shown', () => {
    const error = new OperationsError([faultAt(0, 'x'.repeat(5_000)), faultAt(1, 'y'.repeat(5_000))]);
    const lengths = errorsOf(error).map(({ message }) => message.length);
    expect(lengths).toEqual([2_001, 2_001]);
    expect(error.message).toHaveLength(2 * 2_001 + '; '.length);
  });

  it('has the whole message of a single one', () => {
    const [error] = errorsOf(new OperationsError([faultAt(0, 'x'.repeat(5_000))]));
    expect(error?.message).toBe(`operations[0]: ${'x'.repeat(5_000)}`);
  });

  it('is searched for a code beyond those that are shown', () => {
    const many = Array.from({ length: 150 }, (_, i) => faultAt(i + 1));
    const error = new OperationsError([faultAt(0), ...many, forbiddenAt(151)]);
    expect(errorsOf(error)).toHaveLength(100);
    expect(errorWithCode(error, 'forbidden')).toMatchObject({
      status: 403,
      message: 'operations[151]: You may not.',
      details: [{ field: 'operations[151].roles' }],
    });
    expect(errorWithCode(error, 'not_found')).toBeUndefined();
    expect(errorWithCode(forbiddenAt(0).error, 'forbidden')).toBeDefined();
    expect(errorWithCode(faultAt(0).error, 'forbidden')).toBeUndefined();
  });
});
