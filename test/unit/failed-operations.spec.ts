import { FailedOperations } from '../../src/changes/failed-operations';
import type { TrackedResource } from '../../src/changes/resource-snapshot';
import type { DetailCode } from '../../src/core/error-details';
import { InventoryError } from '../../src/core/errors';
import type { ResourceMapping } from '../../src/database/resource-mapping';

/** A resource that an operation has locked. */
const resource = (kind: string, id: number): TrackedResource => ({
  mapping: { kind } as ResourceMapping,
  projectId: 'p',
  id,
  deleted: false,
  before: undefined,
});

const failure = (code: DetailCode, field = 'name'): InventoryError =>
  new InventoryError('conflict', 'no', [{ field, code, message: 'no' }]);

const other = failure('schema_violation');
const [host, second] = [resource('host', 1), resource('host', 2)];
const [region, label] = [resource('region', 3), resource('label', 70)];

/** The positions of the operations that are reported. */
const reported = (add: (failed: FailedOperations) => void): readonly string[] => {
  const failed = new FailedOperations();
  add(failed);
  try {
    failed.throwIfAny();
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return error.details.map(({ field }) => field.replace(/\..*/, ''));
  }
  return [];
};

describe('the operations of a dry run that fail', () => {
  /** What failed first, and what fails then. */
  it.each<[string, boolean, TrackedResource[], InventoryError, TrackedResource[]]>([
    ['a violated definition on the same host', true, [host], failure('schema_violation'), [host]],
    ['an unknown reference', true, [host], failure('not_found'), [second]],
    ['a missing role', true, [], failure('missing_role'), [second]],
    ['a name, which the host may have had', false, [host], failure('duplicate'), [second]],
    ['a name, which the cell of a region may have had', false, [region], failure('duplicate'), []],
    ['a name, after what is not known', false, [], failure('duplicate'), [second]],
    ['a cell of another region, on the same host', false, [host], failure('inconsistent', 'cell_id'), [host]],
    ['a version of the same host', false, [host], failure('version_mismatch'), [host]],
    ['a version of another host', true, [host], failure('version_mismatch'), [second]],
    [
      'a version of a cell, which a region may take',
      false,
      [region],
      failure('version_mismatch'),
      [resource('cell', 4)],
    ],
    ['the use of a label, which the host may have', false, [host], failure('in_use', 'id'), [label]],
    [
      'the use of a region, whose cell another one may take',
      false,
      [region],
      failure('in_use', 'id'),
      [resource('region', 4)],
    ],
    ['a cell of another region', true, [host], failure('inconsistent', 'cell_id'), [second]],
    [
      'the same, after a region that may take the cell',
      false,
      [region],
      failure('inconsistent', 'cell_id'),
      [second],
    ],
    ['a cycle of parents', false, [host], failure('inconsistent', 'parent_id'), [second]],
    ['too many variables of the same host', false, [host], failure('too_long'), [host]],
    ['too many variables of another host', true, [host], failure('too_long'), [second]],
  ])('%s is reported: %s', (_, isReported, before, error, touched) => {
    const fields = reported((failed) => {
      failed.add({ index: 0, error: other, touched: before });
      failed.add({ index: 3, error, touched });
    });
    expect(fields).toEqual(isReported ? ['operations[0]', 'operations[3]'] : ['operations[0]']);
  });

  it('do not depend on the creations that failed before them', () => {
    const fields = reported((failed) => {
      failed.add({
        index: 0,
        error: failure('duplicate'),
        touched: [],
        onlyCreates: true,
      });
      failed.add({
        index: 1,
        error: failure('duplicate'),
        touched: [],
        onlyCreates: true,
      });
      failed.add({
        index: 2,
        error: failure('inconsistent', 'parent_id'),
        touched: [],
        onlyCreates: true,
      });
      failed.add({ index: 3, error: failure('in_use', 'id'), touched: [region] });
    });
    expect(fields).toEqual(['operations[0]', 'operations[1]', 'operations[2]', 'operations[3]']);
  });

  it('have the errors of their own requests, whatever failed before', () => {
    const fields = reported((failed) => {
      failed.add({ index: 0, error: failure('too_long') });
      failed.add({ index: 1, error: failure('too_long') });
      failed.add({ index: 2 });
    });
    expect(fields).toEqual(['operations[0]', 'operations[1]']);
  });

  it('have the status, the code and the headers of the first, and the messages and details of all', () => {
    const failed = new FailedOperations();
    const headers = { allow: 'PUT' };
    failed.add({
      index: 2,
      error: new InventoryError('validation_exception', 'x: is wrong', [], headers),
      touched: [host],
    });
    failed.add({ index: 4, error: InventoryError.invalidBody('required', 'It needs a body.') });
    expect(() => {
      failed.throwIfAny();
    }).toThrow(
      expect.objectContaining({
        status: 405,
        code: 'validation_exception',
        message: 'operations[2]: x: is wrong; operations[4]: It needs a body.',
        details: [
          { field: 'operations[2]', code: 'inconsistent', message: 'x: is wrong' },
          { field: 'operations[4]', code: 'required', message: 'It needs a body.' },
        ],
        headers,
      }) as Error,
    );
  });

  it('are counted, beyond 100', () => {
    const failed = new FailedOperations();
    for (let index = 0; index < 130; index++) failed.add({ index, error: other, touched: [] });
    expect(() => {
      failed.throwIfAny();
    }).toThrow(/operations\[99\]: no; and 30 more$/);
  });
});
