import * as pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import type { Connection } from './database/connection/connection';
import { driverOptions, type ConnectionUse } from './database/connection/connection-options';
import type { ClientClass } from './database/connection/server-config';
import { migrations } from './migrations';

/**
 * The options of a data source with all migrations and no entities: these load most of the application, which migrations
 * and the checks at startup do not need.
 * @param client see `driverOptions`
 */
export function migrationOptions(
  connection: Connection,
  use: ConnectionUse,
  client?: ClientClass,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    // TypeORM would find it in node_modules, and the bundle has its own.
    driver: pg,
    ...driverOptions(connection, use, client),
    migrations: [...migrations],
    migrationsTransactionMode: 'all',
    synchronize: false,
    logging: false,
    installExtensions: false,
  } as PostgresDataSourceOptions;
}
