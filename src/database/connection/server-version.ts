import { StartupError } from '../../core/errors';

/** The versions of PostgreSQL with which Muster is tested and measured. */
export const OLDEST_VERSION = 15;
export const NEWEST_VERSION = 18;

const SUPPORTED = `Muster supports PostgreSQL ${String(OLDEST_VERSION)} to ${String(NEWEST_VERSION)}`;

const majorOf = (version: string): number => Number.parseInt(version, 10);

/**
 * Refuses a server that is too old.
 * @param version as the server reports it, such as `15.4`
 * @throws StartupError
 */
export function assertSupported(version: string): void {
  if (majorOf(version) < OLDEST_VERSION)
    throw new StartupError(
      `The database server is PostgreSQL ${version}, which is too old: ${SUPPORTED}. Upgrade the server, or set DATABASE_URL to another one.`,
    );
}

/** A warning about a server that is newer than the tested ones; undefined for others. */
export const newerVersionWarning = (version: string): string | undefined =>
  majorOf(version) > NEWEST_VERSION
    ? `The database server is PostgreSQL ${version}, with which this version of Muster was not tested: ${SUPPORTED}.`
    : undefined;
