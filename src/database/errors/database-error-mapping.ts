import { isNativeError } from 'node:util/types';
import type { DatabaseError } from 'pg';
import { InventoryError } from '../../core/errors';
import {
  CommitUnknownError,
  ConcurrentModificationError,
  isCheckViolation,
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isInvalidValue,
  isLockTimeout,
  isOutOfConnections,
  isOutOfResources,
  isReadOnly,
  isRetryable,
  isStatementTimeout,
  isUniqueViolation,
  postgresError,
  TransactionTimeoutError,
  violatedColumns,
} from './postgres-error';

/** Whether the process, or the machine, has too many open files and connections for another one. */
const isOutOfFileDescriptors = (error: unknown): boolean =>
  isNativeError(error) && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

/** Maps an error that clients can cause, of the database or by its connections, to an API error; undefined for all others. */
export function toInventoryError(thrown: unknown): InventoryError | undefined {
  // Without Retry-After, so that clients can distinguish it: with any other 503, nothing was done.
  if (thrown instanceof CommitUnknownError)
    return new InventoryError(
      'unavailable',
      'The connection to the database was lost during the commit: it may have been done. Check the result before you retry.',
    );
  if (isOutOfFileDescriptors(thrown))
    return new InventoryError(
      'unavailable',
      'The service has too many open connections for another one to the database. Retry later.',
      [],
      { 'retry-after': '1' },
    );
  const dbError = postgresError(thrown);
  if (dbError && isUniqueViolation(dbError)) return duplicateError(dbError);
  if (dbError && isForeignKeyViolation(dbError))
    return new InventoryError(
      'conflict',
      'A concurrent change removed a resource that this request refers to. Retry the request.',
    );
  if (dbError && isCheckViolation(dbError) && dbError.message.includes('devices_vlans_size'))
    return InventoryError.invalid('vlans', 'too_long', 'takes at most 64 KiB');
  if (dbError && isLockTimeout(dbError))
    return new InventoryError(
      'unavailable',
      'Timed out waiting for a lock held by another change. Retry the request.',
      [],
      {
        'retry-after': '1',
      },
    );
  if (dbError && isInvalidValue(dbError))
    return new InventoryError(
      'invalid_request',
      `The request contains a value that cannot be stored${reasonOf(dbError)}.`,
    );
  if (thrown instanceof ConcurrentModificationError || (dbError && isRetryable(dbError)))
    return new InventoryError(
      'unavailable',
      'The change conflicted with concurrent changes too often. Retry the request.',
      [],
      {
        'retry-after': '1',
      },
    );
  if (thrown instanceof TransactionTimeoutError || isStatementTimeout(thrown))
    return new InventoryError(
      'unavailable',
      'The request exceeded a timeout of the database. Retry later.',
      [],
      {
        'retry-after': '5',
      },
    );
  if (dbError && isOutOfResources(dbError))
    return new InventoryError(
      'unavailable',
      'The database is out of disk space or memory. Retry later.',
      [],
      {
        'retry-after': '5',
      },
    );
  if (isOutOfConnections(thrown))
    return new InventoryError('unavailable', 'The database has no free connection. Retry later.', [], {
      'retry-after': '2',
    });
  if (isReadOnly(thrown))
    return new InventoryError(
      'unavailable',
      'The database does not accept writes: it is a standby, or read-only. Retry later.',
      [],
      { 'retry-after': '2' },
    );
  if (isDatabaseUnavailable(thrown))
    return new InventoryError('unavailable', 'The database is not available.', [], { 'retry-after': '2' });
  return undefined;
}

/** The unique columns whose values the request itself contains. Others, such as those of API keys, are not disclosed. */
const DISCLOSED = new Set(['name', 'label', 'username', 'key']);

function duplicateError(violation: DatabaseError): InventoryError {
  const { column: field, value } = violatedColumns(violation).at(-1) ?? { column: 'name', value: '' };
  const text = DISCLOSED.has(field) && value !== '' ? `${value} ` : '';
  return new InventoryError('conflict', `The ${field} ${text}is already in use.`, [
    { field, code: 'duplicate', message: `${text}is already in use` },
  ]);
}

/** PostgreSQL's own messages would reveal its types and functions. */
function reasonOf({ code, message }: DatabaseError): string {
  if (code === '22021' || code === '22P05' || (code === '22P02' && /\bjson\b/.test(message)))
    return ': a NUL character or a lone surrogate';
  if (code === '22003') return ': a number that is too large or has too many digits';
  return /^54/.test(code ?? '') ? ': it is too large or nested too deeply' : '';
}
