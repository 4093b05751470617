import type { Socket } from 'node:net';
import type { PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { entities } from './src/entities';
import { migrations } from './src/migrations';
import { configuredConnection, SERVICE_ROLE, type Connection } from './src/shared/persistence/connection';

/** How the connections are used. */
interface Use {
  /** `service`: as the role that can neither alter the schema nor change records. `owner`: as the one who migrates. */
  readonly as: 'service' | 'owner';
  readonly poolSize?: number;
  /** Whether it may wait for a lock without end: migrations do, requests must not. */
  readonly patient?: boolean;
  /** How long a statement may take. Without it, as long as it takes. */
  readonly statementSeconds?: number;
  /** Makes the sockets of the connections. */
  readonly socket?: () => Socket;
}

/** A few requests that wait for a lock would keep the connections from all others. */
const IMPATIENT = ['-c lock_timeout=10s', '-c idle_in_transaction_session_timeout=60s'];

const OPTIONS = /([?&])options=([^&]*)(?:&|$)/;

/** The `options` of a URL. The driver lets them replace all others, and with them the service's role. */
const optionsOf = (url: string): string =>
  decodeURIComponent(OPTIONS.exec(url)?.[2]?.replaceAll('+', ' ') ?? '');

const withoutOptions = (url: string): string => url.replace(OPTIONS, '$1').replace(/[?&]$/, '');

/** The one place with connection options: for the service, its commands, the tests and TypeORM's own command line. */
export function connectionOptions(connection: Connection, use: Use): PostgresDataSourceOptions {
  const { url, host, port, user, database } = connection;
  return {
    type: 'postgres',
    ...(url === undefined ? { host, port, username: user, database } : { url: withoutOptions(url) }),
    entities: [...entities],
    migrations: [...migrations],
    migrationsTransactionMode: 'all',
    synchronize: false,
    logging: false,
    poolSize: use.poolSize ?? 2,
    connectTimeoutMS: 5_000,
    installExtensions: false,
    extra: {
      application_name: 'muster',
      keepAlive: true,
      // The usual two hours would notice too late that an idle connection has been forgotten on its way.
      keepAliveInitialDelayMillis: 10_000,
      ...(use.socket ? { stream: use.socket } : {}),
      options: [
        optionsOf(url ?? ''),
        '-c timezone=UTC',
        ...(use.as === 'service' ? [`-c role=${SERVICE_ROLE}`] : []),
        ...(use.patient === true ? [] : IMPATIENT),
        ...(use.statementSeconds === undefined
          ? []
          : [`-c statement_timeout=${String(use.statementSeconds)}s`]),
      ].join(' '),
    },
  } as PostgresDataSourceOptions;
}

/** The same for the driver itself, for servers that are no data source: replicas. */
export function poolOptions(connection: Connection, use: Use): PoolConfig {
  const options = connectionOptions(connection, use);
  const { url, host, port, username, database } = options;
  return {
    ...(url === undefined ? { host, port, user: username, database } : { connectionString: url }),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMS,
    ...(options.extra as PoolConfig),
  };
}

/** For `npm run typeorm -- …`: the database of DATABASE_URL, else the embedded one while Muster runs. */
export default new DataSource(
  connectionOptions(configuredConnection(process.env), { as: 'owner', patient: true }),
);
