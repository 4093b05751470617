import type { DatabaseError } from 'pg';
import { InventoryError } from '../../core/errors/inventory-error';
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
  // Without Retry-After, by which clients know it: every other 503 says that nothing was done.
  if (thrown instanceof CommitUnknownError)
    return new InventoryError(
      'unavailable',
      'The database was lost while this was being committed: it may have been done. Look before you try again.',
    );
  const said = postgresError(thrown);
  if (said && isUniqueViolation(said)) {
    const field = violatedColumns(said).at(-1) ?? 'name';
    return new InventoryError('conflict', `The ${field} is already in use.`, [
      { field, message: 'is already in use' },
    ]);
  }
  if (said && isForeignKeyViolation(said))
    return new InventoryError(
      'conflict',
      'Something that this refers to was changed at the same time. Try again.',
    );
  if (said && isCheckViolation(said) && said.constraint === 'devices_vlans_size')
    return InventoryError.invalid('vlans', 'takes at most 64 KiB');
  if (said && isLockTimeout(said))
    return new InventoryError(
      'unavailable',
      'Timed out waiting for a lock held by another change. Retry the request.',
      [],
      {
        'retry-after': '1',
      },
    );
  if (said && isInvalidValue(said))
    return new InventoryError(
      'invalid_request',
      `The request holds a value that cannot be stored${reasonOf(said)}.`,
    );
  if (thrown instanceof ConcurrentModificationError || (said && isRetryable(said)))
    return new InventoryError('unavailable', 'Too many simultaneous changes. Try again.', [], {
      'retry-after': '1',
    });
  if (thrown instanceof TransactionTimeoutError || isStatementTimeout(thrown))
    return new InventoryError('unavailable', 'The database takes too long for this. Try again later.', [], {
      'retry-after': '5',
    });
  if (said && isOutOfResources(said))
    return new InventoryError('unavailable', 'The database has no room for this at present.', [], {
      'retry-after': '5',
    });
  if (isDatabaseUnavailable(thrown))
    return new InventoryError('unavailable', 'The database is not available.', [], { 'retry-after': '2' });
  return undefined;
}

/** Messages of our own: PostgreSQL's name its types and functions. */
function reasonOf({ code, message }: DatabaseError): string {
  if (code === '22021' || code === '22P05' || (code === '22P02' && /\bjson\b/.test(message)))
    return ': a NUL character or a lone surrogate';
  if (code === '22003') return ': a number that is too large or has too many digits';
  return /^54/.test(code ?? '') ? ': it is too large or nested too deeply' : '';
}
