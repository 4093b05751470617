import { randomInt } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { StartupError } from '../../core/errors';
import { postgresError } from '../errors/postgres-error';
import { withConnection, withOwnerConnection } from './owner-connection';
import type { Connection } from './connection';
import { NoUsableHostError } from './multi-host-client';

/**
 * Verifies, before anything is read or written, that the database can store all of Unicode, and that the logins of the
 * service and of the schema owner use the same database of the same server.
 * @throws StartupError
 */
export async function verifyDatabase(connection: Connection): Promise<void> {
  if (!connection.owner) return withConnection('login', connection, assertUtf8);
  await withOwnerConnection(connection, assertUtf8);
  try {
    await assertSameDatabase(connection);
  } catch (error) {
    // Before the first migration, the service's login may not exist or lack a password. It is verified after the migration.
    if (!isRejectedLogin(error)) throw error;
  }
}

/** @throws StartupError if the two logins of a connection use different databases */
export async function assertSameDatabase(connection: Connection): Promise<void> {
  if (!connection.owner) return;
  await withConnection('login', connection, (dataSource) =>
    dataSource.transaction(async (login) => {
      // An advisory lock is known to all sessions of one database, and to no other. So it also tells apart a database from
      // its copy, which has the same identifiers.
      const lock = [randomInt(2 ** 31), randomInt(2 ** 31)];
      await login.query('SELECT pg_advisory_xact_lock($1, $2)', lock);
      await withOwnerConnection(connection, async (owner) => {
        const [other] = await owner.query<{ isFree: boolean }[]>(
          'SELECT pg_try_advisory_xact_lock($1, $2) AS "isFree"',
          lock,
        );
        if (other?.isFree === false) return;
        throw new StartupError(
          `DATABASE_OWNER_URL names another database than DATABASE_URL: ${await describe(owner)} instead of ${await describe(login)}. Nothing was read or changed. Set both to the same database.`,
        );
      });
    }),
  );
}

async function assertUtf8(on: DataSource): Promise<void> {
  const [found] = await on.query<{ encoding: string }[]>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  if (found?.encoding === 'UTF8') return;
  throw new StartupError(
    `Muster requires a database with the encoding UTF8, but ${await describe(on)} has ${String(found?.encoding)}. Nothing was changed. Create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
  );
}

/** The name and the server of a database. */
async function describe(on: DataSource | EntityManager): Promise<string> {
  const [found] = await on.query<{ name: string; server: string }[]>(
    `SELECT current_database() AS name,
      COALESCE(host(inet_server_addr()), 'a local socket') || ', port ' || current_setting('port') AS server`,
  );
  return `the database "${String(found?.name)}" on ${String(found?.server)}`;
}

/** Whether a login does not exist, cannot log in, or has another password (SQLSTATE class 28). */
function isRejectedLogin(error: unknown): boolean {
  if (!(error instanceof StartupError)) return false;
  const { cause } = error;
  const reasons = cause instanceof NoUsableHostError ? cause.reasons : [cause];
  return reasons.some((reason) => /^28/.test(postgresError(reason)?.code ?? ''));
}
