import type { Socket } from 'node:net';
import { SERVICE_ROLE, type ConnectedAs, type Connection } from './connection';
import { clientAmong } from '../servers/server-client';
import type { ServerPoolConfig } from './pool-config';
import { serversOf } from '../../config/database-urls';
import { Servers } from '../servers/servers';

/** How the connections are used. */
export interface ConnectionUse {
  readonly as: ConnectedAs;
  readonly poolSize?: number;
  /** Whether it may wait for a lock without end: migrations do, requests must not. */
  readonly patient?: boolean;
  /** How long a statement may take. Without it, as long as it takes. */
  readonly statementSeconds?: number;
  /** Makes the sockets of the connections. */
  readonly socket?: () => Socket;
}

/** As TypeORM names them. */
interface DriverOptions {
  readonly url?: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly username?: string | undefined;
  readonly database?: string | undefined;
  readonly poolSize: number;
  readonly connectTimeoutMS: number;
  readonly extra: ServerPoolConfig;
}

/** A few requests that wait for a lock would keep the connections from all others. */
const IMPATIENT = ['-c lock_timeout=10s', '-c idle_in_transaction_session_timeout=60s'];

const OPTIONS = /([?&])options=([^&]*)(?:&|$)/;

/** The `options` of a URL. The driver lets them replace all others, and with them the service's role. */
const optionsOf = (url: string): string =>
  decodeURIComponent(OPTIONS.exec(url)?.[2]?.replaceAll('+', ' ') ?? '');

const withoutOptions = (url: string): string => url.replace(OPTIONS, '$1').replace(/[?&]$/, '');

const loginOf = (connection: Connection, { as }: ConnectionUse): Connection =>
  as === 'owner' ? (connection.owner ?? connection) : connection;

/** How sessions are begun, wherever the server is. */
const sessionOptions = (url: string | undefined, use: ConnectionUse) => ({
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
export function serversFor(connection: Connection, use: ConnectionUse): Servers | undefined {
  const { url } = loginOf(connection, use);
  if (url === undefined) return undefined;
  const named = serversOf(withoutOptions(url));
  return named.urls.length === 1 && named.wanted === 'any'
    ? undefined
    : new Servers(named, sessionOptions(url, use));
}

/**
 * The options of a connection, for TypeORM and for the driver alike.
 * @param servers those of the connection, where they are known already: who shares them knows of the same failover
 */
export function driverOptions(
  connection: Connection,
  use: ConnectionUse,
  servers = serversFor(connection, use),
): DriverOptions {
  const { url, host, port, user, database } = loginOf(connection, use);
  // The driver takes no list of hosts: with one, it is the client that goes where it should.
  const [first = ''] = url === undefined ? [] : serversOf(withoutOptions(url)).urls;
  return {
    ...(url === undefined ? { host, port, username: user, database } : { url: first }),
    poolSize: use.poolSize ?? 2,
    connectTimeoutMS: 5_000,
    extra: {
      ...sessionOptions(url, use),
      ...(use.socket ? { stream: use.socket } : {}),
      ...(servers ? { Client: clientAmong(servers) } : {}),
    },
  };
}

/** For connections beside the data source's: probes and replicas. */
export function poolOptions(connection: Connection, use: ConnectionUse, servers?: Servers): ServerPoolConfig {
  const options = driverOptions(connection, use, servers);
  const { url, host, port, username, database } = options;
  return {
    ...(url === undefined ? { host, port, user: username, database } : { connectionString: url }),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMS,
    ...options.extra,
  };
}
