import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { entities } from './src/entities';
import { configuredConnection, type Connection } from './src/database/connection/connection';
import type { ConnectionUse } from './src/database/connection/connection-options';
import type { ClientClass } from './src/database/connection/server-config';
import { migrationOptions } from './src/migration-options';

/**
 * The options of the data source: for the service, its commands, the tests and TypeORM's own command line.
 * @param client see `driverOptions`
 */
export function connectionOptions(
  connection: Connection,
  use: ConnectionUse,
  client?: ClientClass,
): PostgresDataSourceOptions {
  return { ...migrationOptions(connection, use, client), entities: [...entities] };
}

function ofEnvironment(): DataSource {
  const use = { as: 'owner', waitsForLocks: true } as const;
  try {
    return new DataSource(connectionOptions(configuredConnection(process.env), use));
  } catch {
    // A URL that nobody can read: whoever reads the settings says so, and has to get to it.
    return new DataSource(connectionOptions({}, use));
  }
}

/** For `npm run typeorm -- …`: the database of DATABASE_URL, else the embedded one while Muster runs. */
export default ofEnvironment();
