import type { DatabaseError } from 'pg';
import { InventoryError } from '../../core/errors/inventory-error';
import { OutcomeUnknown } from './commit-unknown-error';
import { Overtaken } from './concurrent-modification-error';
import {
  isCheckViolation,
  isDatabaseAway,
  isExhausted,
  isForeignKeyViolation,
  isLockTimeout,
  isRefusedValue,
  isRetryable,
  isTimeOver,
  isUniqueViolation,
  postgresError,
  violatedColumns,
} from './postgres-error';
import { TimeOver } from './transaction-timeout-error';

/** What a caller is told of an error that the database expects callers to make; undefined for every other. */
export function inventoryErrorOfDatabase(thrown: unknown): InventoryError | undefined {
  // Without Retry-After, by which clients know it: every other 503 says that nothing was done.
  if (thrown instanceof OutcomeUnknown)
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
    return new InventoryError('unavailable', 'Somebody else is changing this for too long. Try again.', [], {
      'retry-after': '1',
    });
  if (said && isRefusedValue(said))
    return new InventoryError(
      'invalid_request',
      `The request holds a value that cannot be stored${reasonOf(said)}.`,
    );
  if (thrown instanceof Overtaken || (said && isRetryable(said)))
    return new InventoryError('unavailable', 'Too many simultaneous changes. Try again.', [], {
      'retry-after': '1',
    });
  if (thrown instanceof TimeOver || isTimeOver(thrown))
    return new InventoryError('unavailable', 'The database takes too long for this. Try again later.', [], {
      'retry-after': '5',
    });
  if (said && isExhausted(said))
    return new InventoryError('unavailable', 'The database has no room for this at present.', [], {
      'retry-after': '5',
    });
  if (isDatabaseAway(thrown))
    return new InventoryError('unavailable', 'The database is not available.', [], { 'retry-after': '2' });
  return undefined;
}

/** Why, in words of our own: PostgreSQL's tell of its types and functions. */
function reasonOf({ code, message }: DatabaseError): string {
  if (code === '22021' || code === '22P05' || (code === '22P02' && /\bjson\b/.test(message)))
    return ': a NUL character or a lone surrogate';
  if (code === '22003') return ': a number that is too large or has too many digits';
  return /^54/.test(code ?? '') ? ': it is too large or nested too deeply' : '';
}
