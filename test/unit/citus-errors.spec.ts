import { DatabaseError } from 'pg';
import { InventoryError } from '../../src/core/errors';
import { citusError } from '../../src/database/citus/citus-errors';
import {
  isCheckViolation,
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isUniqueViolation,
} from '../../src/database/errors/postgres-error';

const dbError = (message: string, members: Partial<DatabaseError>): DatabaseError =>
  Object.assign(new DatabaseError(message, 9, 'error'), members);

describe('an error that Citus reports as an internal error', () => {
  it.each([
    ['duplicate key value violates unique constraint "x_1"', isUniqueViolation],
    ['insert on table "x_1" violates foreign key constraint "y"', isForeignKeyViolation],
    ['new row for relation "x_1" violates check constraint "z"', isCheckViolation],
    ['failure on connection marked as essential: 127.0.0.1:1', isDatabaseUnavailable],
  ])('is that of a PostgreSQL server: %s', (message, isExpected) => {
    const error = dbError(message, { code: 'XX000' });
    expect(citusError(error)).toBe(error);
    expect(isExpected(error)).toBe(true);
  });

  it('otherwise remains one', () => {
    expect(citusError(dbError('something else', { code: 'XX000' }))).toMatchObject({ code: 'XX000' });
  });
});

it.each([
  [{ detail: 'Key (project_id, id)=(4a1c, 1) is still referenced from table "device_labels_102040".' }],
  [{ table: 'device_labels_102040' }],
  [{ table: 'device_labels' }],
])('a violation of a foreign key names the table, and not its part: %j', (members) => {
  expect(citusError(dbError('violates', { code: '23503', ...members }))).toMatchObject({
    table: 'device_labels',
  });
});

describe('a statement that Citus does not support', () => {
  it('is an error of the request', () => {
    const error = dbError('cannot push down this subquery', {
      code: '0A000',
      routine: 'DeferErrorIfUnsupported',
    });
    expect(citusError(error)).toBeInstanceOf(InventoryError);
    expect(citusError(error)).toMatchObject({
      status: 400,
      message: expect.stringContaining('project_id') as string,
    });
  });

  it('is not a prepared statement whose table was altered, in any language', () => {
    const error = dbError('gecachter Plan darf den Ergebnistyp nicht ändern', {
      code: '0A000',
      routine: 'RevalidateCachedQuery',
    });
    expect(citusError(error)).toBe(error);
  });
});

it('other errors are unchanged', () => {
  const error = new Error('connect ECONNREFUSED');
  expect(citusError(error)).toBe(error);
});
