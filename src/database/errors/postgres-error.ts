import { isNativeError } from 'node:util/types';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** Unwraps the driver's error from TypeORM's; undefined if it is not an error of the database. */
export function postgresError(error: unknown): DatabaseError | undefined {
  const cause = causeOf(error);
  return cause instanceof DatabaseError ? cause : undefined;
}

const causeOf = (error: unknown): unknown =>
  error instanceof QueryFailedError ? (error.driverError as unknown) : error;

/**
 * The columns of a violated unique or foreign key with their values, without the project, with which every key begins.
 * They are taken from the detail, whose words are in the server's language.
 */
export function violatedColumns(error: DatabaseError): { readonly column: string; readonly value: string }[] {
  const [, columns = '', values = ''] = /\(([^()]*)\)=\((.*)\)/s.exec(error.detail ?? '') ?? [];
  const names = columns.split(', ');
  const valueList = values.split(', ');
  // A name, which can contain a comma, is the last column of its key.
  const last = valueList.slice(names.length - 1).join(', ');
  return names
    .map((column, i) => ({
      column: column.replaceAll('"', ''),
      value: i === names.length - 1 ? last : (valueList[i] ?? ''),
    }))
    .filter(({ column }) => column !== '' && column !== 'project_id');
}

export const isUniqueViolation = (error: DatabaseError): boolean => error.code === '23505';
export const isForeignKeyViolation = (error: DatabaseError): boolean => error.code === '23503';
export const isCheckViolation = (error: DatabaseError): boolean => error.code === '23514';

/** A conflict with a concurrent transaction, after which a retry can succeed. */
export const isRetryable = (error: DatabaseError): boolean =>
  error.code === '40001' || error.code === '40P01';

/** Whether the lock timeout was exceeded. */
export const isLockTimeout = (error: DatabaseError): boolean => error.code === '55P03';

/**
 * Whether a timeout expired: of a statement, of a transaction that was idle or too long, or of the wait for a response.
 */
export const isStatementTimeout = (error: unknown): boolean =>
  /^(57014|25P0[34])$/.test(postgresError(error)?.code ?? '') || isQueryTimeout(error);

/** Whether the driver's query timeout expired. Its error has no code. */
export function isQueryTimeout(error: unknown): boolean {
  const cause = causeOf(error);
  return isNativeError(cause) && cause.message === 'Query read timeout';
}

/** Whether the server is out of disk space or memory, or its disk failed. */
export const isOutOfResources = (error: DatabaseError): boolean =>
  /^(53[124]00|58030)$/.test(error.code ?? '');

/**
 * Whether a value cannot be stored: malformed, out of range or too long (SQLSTATE class 22), or nested too deeply or
 * too large (class 54).
 */
export const isInvalidValue = (error: DatabaseError): boolean => /^(22|54)/.test(error.code ?? '');

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The accept queue of a local socket is full.
  'EAGAIN',
  // None of several hosts can be used: see `NoUsableHostError`.
  'ENOHOST',
]);

/**
 * Whether a failed COMMIT may have succeeded, because the connection was lost. After any other error of the database,
 * nothing was committed.
 */
export const isCommitUnknown = (error: unknown): boolean =>
  /^(08|57P|25P0)/.test(postgresError(error)?.code ?? '08');

/** Whether the server has no connection left for this login. */
export const isOutOfConnections = (error: unknown): boolean => postgresError(error)?.code === '53300';

/** Whether the server does not accept writes: another server may have become the primary. */
export const isReadOnly = (error: unknown): boolean => postgresError(error)?.code === '25006';

/**
 * Whether the database is unavailable: it cannot be reached, is starting or stopping, has no free connection, does not
 * accept writes, or closed the connection. A rejected login or a missing database count as well, because they can occur
 * while a replacement server is set up.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const known = postgresError(error);
  if (known) return isReadOnly(error) || /^(08|57P|28|53300|3D000)/.test(known.code ?? '');
  const cause = causeOf(error);
  // Not `instanceof`: under a test runner, errors of sockets have another `Error` class.
  if (!isNativeError(cause)) return false;
  if ('code' in cause && typeof cause.code === 'string' && CONNECTION_CODES.has(cause.code)) return true;
  // pg reports these without a code.
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|is not queryable/.test(
    cause.message,
  );
}

/** The reason why a connection failed. */
export function connectionErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return String(error.errors[0]);
  return error instanceof Error ? error.message : '';
}

/** The connection was lost during a commit, which may have succeeded. The cause is the error of the connection. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';

  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause });
  }
}

/** A conflict with a concurrent transaction that the database does not detect. The transaction is retried. */
export class ConcurrentModificationError extends Error {
  constructor() {
    super('a concurrent transaction modified the same data');
  }
}

/** A transaction exceeded its timeout. It was rolled back, unless it was being committed at that moment. */
export class TransactionTimeoutError extends Error {
  override readonly name = 'TransactionTimeoutError';

  constructor(seconds: number) {
    super(`a transaction took longer than ${String(seconds)} seconds`);
  }
}
