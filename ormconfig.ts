import type { Socket } from 'node:net';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { entities } from './src/entities';
import { migrations } from './src/migrations';
import {
  configuredConnection,
  SERVICE_ROLE,
  type ConnectedAs,
  type Connection,
} from './src/shared/persistence/connection';
import { clientAmong } from './src/shared/persistence/servers/server-client';
import type { ServerPoolConfig } from './src/shared/persistence/servers/server-config';
import { serversOf } from './src/shared/persistence/servers/server-urls';
import { Servers } from './src/shared/persistence/servers/servers';

/** How the connections are used. */
interface Use {
  readonly as: ConnectedAs;
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

const loginOf = (connection: Connection, { as }: Use): Connection =>
  as === 'owner' ? (connection.owner ?? connection) : connection;

/** How sessions are begun, wherever the server is. */
const sessionOptions = (url: string | undefined, use: Use) => ({
  application_name: 'muster',
  keepAlive: true,
  // The usual two hours would notice too late that an idle connection has been forgotten on its way.
  keepAliveInitialDelayMillis: 10_000,
  options: [
    // No temporary table is taken for one of the service's: it is looked for last.
    ...(use.as === 'service' ? ['-c search_path=public,pg_temp'] : []),
    optionsOf(url ?? ''),
    '-c timezone=UTC',
    ...(use.as === 'service' ? [`-c role=${SERVICE_ROLE}`] : []),
    ...(use.patient === true ? [] : IMPATIENT),
    ...(use.statementSeconds === undefined ? [] : [`-c statement_timeout=${String(use.statementSeconds)}s`]),
    // Whatever is set for the owner: an index may take long to build.
    ...(use.as === 'owner' && use.statementSeconds === undefined ? ['-c statement_timeout=0'] : []),
  ].join(' '),
});

/** The servers among which connections choose; undefined where the connection names one, whichever that is. */
export function serversFor(connection: Connection, use: Use): Servers | undefined {
  const { url } = loginOf(connection, use);
  if (url === undefined) return undefined;
  const named = serversOf(withoutOptions(url));
  return named.urls.length === 1 && named.wanted === 'any'
    ? undefined
    : new Servers(named, sessionOptions(url, use));
}

/**
 * The one place with connection options: for the service, its commands, the tests and TypeORM's own command line.
 * @param servers those of the connection, where they are known already: who shares them knows of the same failover
 */
export function connectionOptions(
  connection: Connection,
  use: Use,
  servers = serversFor(connection, use),
): PostgresDataSourceOptions {
  const { url, host, port, user, database } = loginOf(connection, use);
  // The driver takes no list of hosts: with one, it is the client that goes where it should.
  const [first = ''] = url === undefined ? [] : serversOf(withoutOptions(url)).urls;
  return {
    type: 'postgres',
    ...(url === undefined ? { host, port, username: user, database } : { url: first }),
    entities: [...entities],
    migrations: [...migrations],
    migrationsTransactionMode: 'all',
    synchronize: false,
    logging: false,
    poolSize: use.poolSize ?? 2,
    connectTimeoutMS: 5_000,
    installExtensions: false,
    extra: {
      ...sessionOptions(url, use),
      ...(use.socket ? { stream: use.socket } : {}),
      ...(servers ? { Client: clientAmong(servers) } : {}),
    },
  } as PostgresDataSourceOptions;
}

/** The same for the driver itself, for connections beside the data source's: probes and replicas. */
export function poolOptions(connection: Connection, use: Use, servers?: Servers): ServerPoolConfig {
  const options = connectionOptions(connection, use, servers);
  const { url, host, port, username, database } = options;
  return {
    ...(url === undefined ? { host, port, user: username, database } : { connectionString: url }),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMS,
    ...(options.extra as ServerPoolConfig),
  };
}

function ofEnvironment(): DataSource {
  const use = { as: 'owner', patient: true } as const;
  try {
    return new DataSource(connectionOptions(configuredConnection(process.env), use));
  } catch {
    // A URL that nobody can read: whoever reads the settings says so, and has to get to it.
    return new DataSource(connectionOptions({}, use));
  }
}

/** For `npm run typeorm -- …`: the database of DATABASE_URL, else the embedded one while Muster runs. */
export default ofEnvironment();
