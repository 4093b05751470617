import { isNativeError } from 'node:util/types';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** Digs the driver's error out of TypeORM's wrapper; undefined if the database did not say it. */
export function postgresError(error: unknown): DatabaseError | undefined {
  const cause = causeOf(error);
  return cause instanceof DatabaseError ? cause : undefined;
}

const causeOf = (error: unknown): unknown =>
  error instanceof QueryFailedError ? (error.driverError as unknown) : error;

/** The columns that a unique or foreign key violation is about, without the project, which every key begins with. */
export function violatedColumns(error: DatabaseError): string[] {
  // On Citus a violation carries no constraint name, so the columns in the detail are what can be relied on.
  const columns = /^Key \(([^)]*)\)=/.exec(error.detail ?? '')?.[1] ?? '';
  return columns
    .split(', ')
    .map((column) => column.replaceAll('"', ''))
    .filter((column) => column !== '' && column !== 'project_id');
}

export const isUniqueViolation = (error: DatabaseError): boolean => error.code === '23505';
export const isForeignKeyViolation = (error: DatabaseError): boolean => error.code === '23503';

/** The request lost against a simultaneous one and may simply be tried again. */
export const isRetryable = (error: DatabaseError): boolean =>
  error.code === '40001' || error.code === '40P01';

/** Whether the lock timeout was exceeded. */
export const isLockTimeout = (error: DatabaseError): boolean => error.code === '55P03';

/**
 * It took longer than it may: the statement was ended, or the connection of a transaction that waited for its client, or
 * the answer was given up.
 */
export const isStatementTimeout = (error: unknown): boolean =>
  /^(57014|25P0[34])$/.test(postgresError(error)?.code ?? '') || isQueryTimeout(error);

/** The answer was given up. The driver's own error says so, which has no code. */
export function isQueryTimeout(error: unknown): boolean {
  const cause = causeOf(error);
  return isNativeError(cause) && cause.message === 'Query read timeout';
}

/** The server has no room on its disk or in its memory, or its disk fails. */
export const isOutOfResources = (error: DatabaseError): boolean =>
  /^(53[124]00|58030)$/.test(error.code ?? '');

export const isCheckViolation = (error: DatabaseError): boolean => error.code === '23514';

/**
 * What the database refuses to hold: malformed, out-of-range or too long values (SQLSTATE class 22), and
 * nesting or sizes beyond its limits (class 54).
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
  // The queue before a local socket is full.
  'EAGAIN',
  // None of several hosts can be used: see `NoUsableHostError`.
  'ENOHOST',
]);

/**
 * Whether a COMMIT that failed with an error may have been done all the same: the connection is lost. What else the
 * database says of it is a refusal, and nothing was done.
 */
export const isCommitUnknown = (error: unknown): boolean =>
  /^(08|57P|25P0)/.test(postgresError(error)?.code ?? '08');

/** The server takes no writes, or no longer: another one may be the primary by now. */
export const isReadOnly = (error: unknown): boolean => postgresError(error)?.code === '25006';

/**
 * The database is away: cannot be reached, is starting or stopping, has no connection left, takes no writes, or hung up.
 * So is one that lets nobody in, or does not have this database: it is being set up in another's place.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const known = postgresError(error);
  if (known) return isReadOnly(error) || /^(08|57P|28|53300|3D000)/.test(known.code ?? '');
  const cause = causeOf(error);
  // Not `instanceof`: a socket's errors come from node itself, which under a test runner has an Error of its own.
  if (!isNativeError(cause)) return false;
  if ('code' in cause && typeof cause.code === 'string' && CONNECTION_CODES.has(cause.code)) return true;
  // pg reports these without a code.
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|is not queryable/.test(
    cause.message,
  );
}

/** The connection was lost while a change was being committed: it may have been done, or not. The cause is what was lost. */
export class CommitUnknownError extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(cause: unknown) {
    super('a connection was lost while it committed', { cause });
  }
}

/** A transaction finds that others were faster, in a way that the database does not watch over: it is done anew. */
export class ConcurrentModificationError extends Error {
  constructor() {
    super('a transaction was overtaken by another');
  }
}

/** A transaction took longer than it may. It was rolled back, unless it was being committed just then. */
export class TransactionTimeoutError extends Error {
  override readonly name = 'TimeOver';

  constructor(seconds: number) {
    super(`a transaction took longer than ${String(seconds)} seconds`);
  }
}
