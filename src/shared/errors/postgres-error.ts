import { isNativeError } from 'node:util/types';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** Digs the driver's error out of TypeORM's wrapper; undefined if the database did not say it. */
export function postgresError(error: unknown): DatabaseError | undefined {
  const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  return cause instanceof DatabaseError ? cause : undefined;
}

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

/** Somebody else held a lock for too long. */
export const isLockTimeout = (error: DatabaseError): boolean => error.code === '55P03';

export const isCheckViolation = (error: DatabaseError): boolean => error.code === '23514';

/**
 * What the database refuses to hold: malformed, out-of-range or too long values (SQLSTATE class 22), and
 * nesting or sizes beyond its limits (class 54).
 */
export const isRefusedValue = (error: DatabaseError): boolean => /^(22|54)/.test(error.code ?? '');

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The database is away: cannot be reached, is starting or stopping, has no connection left, or hung up. */
export function isDatabaseAway(error: unknown): boolean {
  const known = postgresError(error);
  if (known) return /^(08|57P|53300)/.test(known.code ?? '');
  const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  // Not `instanceof`: a socket's errors come from node itself, which under a test runner has an Error of its own.
  if (!isNativeError(cause)) return false;
  if ('code' in cause && typeof cause.code === 'string' && CONNECTION_CODES.has(cause.code)) return true;
  // pg reports these two without a code.
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    cause.message,
  );
}
