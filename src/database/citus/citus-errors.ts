import { InventoryError } from '../../core/errors';
import { postgresError } from '../errors/postgres-error';

/** Citus reports some errors of nodes, such as those of rows that it copies, with the code of an internal error. */
const INTERNAL_ERROR = 'XX000';

/** The codes of these errors, by a part of their messages. */
const CODES: readonly (readonly [string, string])[] = [
  ['duplicate key value violates unique constraint', '23505'],
  ['violates foreign key constraint', '23503'],
  ['violates check constraint', '23514'],
  ['failure on connection marked as essential', '08006'],
];

/** The rows of a table are in tables with this suffix. */
const SHARD_SUFFIX = /_\d+$/;

/**
 * Converts an error of Citus to the error of a PostgreSQL server: with the code, and with the table that a violated
 * foreign key refers to or from, which only the detail has. A statement over several projects that Citus does not support
 * becomes an error of the request: see docs/scaling.md.
 */
export function citusError(error: unknown): unknown {
  const dbError = postgresError(error);
  if (!dbError) return error;
  // PostgreSQL uses the same code for a prepared statement whose table was altered.
  if (dbError.code === '0A000' && dbError.routine !== 'RevalidateCachedQuery')
    return new InventoryError(
      'invalid_request',
      'The database is distributed by project and cannot answer this for all projects at once. Name one with project_id.',
    );
  if (dbError.code === INTERNAL_ERROR)
    dbError.code = CODES.find(([text]) => dbError.message.includes(text))?.[1] ?? INTERNAL_ERROR;
  if (dbError.code === '23503')
    dbError.table = (dbError.table ?? /table "([^"]*)"/.exec(dbError.detail ?? '')?.[1])?.replace(
      SHARD_SUFFIX,
      '',
    );
  return error;
}
