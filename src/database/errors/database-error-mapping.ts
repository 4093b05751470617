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
  isOutOfResources,
  isRetryable,
  isStatementTimeout,
  isUniqueViolation,
  postgresError,
  TransactionTimeoutError,
  violatedColumns,
} from './postgres-error';

/** Maps a database error that clients can cause to an API error; undefined for all others. */
export function toInventoryError(thrown: unknown): InventoryError | undefined {
  // Without Retry-After, so that clients can distinguish it: with any other 503, nothing was done.
  if (thrown instanceof CommitUnknownError)
    return new InventoryError(
      'unavailable',
      'The connection to the database was lost during the commit: it may have been done. Check the result before you retry.',
    );
  const dbError = postgresError(thrown);
  if (dbError && isUniqueViolation(dbError)) {
    const field = violatedColumns(dbError).at(-1)?.column ?? 'name';
    return new InventoryError('conflict', `The ${field} is already in use.`, [
      { field, code: 'duplicate', message: 'is already in use' },
    ]);
  }
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
  if (isDatabaseUnavailable(thrown))
    return new InventoryError('unavailable', 'The database is not available.', [], { 'retry-after': '2' });
  return undefined;
}

/** PostgreSQL's own messages would reveal its types and functions. */
function reasonOf({ code, message }: DatabaseError): string {
  if (code === '22021' || code === '22P05' || (code === '22P02' && /\bjson\b/.test(message)))
    return ': a NUL character or a lone surrogate';
  if (code === '22003') return ': a number that is too large or has too many digits';
  return /^54/.test(code ?? '') ? ': it is too large or nested too deeply' : '';
}
