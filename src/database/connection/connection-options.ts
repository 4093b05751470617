import type { Socket } from 'node:net';
import { SERVICE_ROLE, type ConnectionRole, type Connection } from './connection';
import { multiHostClient } from './multi-host-client';
import type { ClientClass, ServerPoolConfig } from './pool-config';
import { parseServers } from '../../config/database-urls';

/** How the connections are used. */
export interface ConnectionUse {
  readonly as: ConnectionRole;
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

/**
 * The client class for a URL with several hosts or `target_session_attrs`; undefined for others.
 * @param onSwitch called when connections go to another host than before
 */
export function clientFor(
  connection: Connection,
  use: ConnectionUse,
  onSwitch: (host: string, former: string) => void = () => undefined,
): ClientClass | undefined {
  const { url } = loginOf(connection, use);
  if (url === undefined) return undefined;
  const servers = parseServers(withoutOptions(url));
  return servers.urls.length === 1 && servers.wanted === 'any'
    ? undefined
    : multiHostClient(servers, sessionOptions(url, use), onSwitch);
}

/**
 * The options of a connection, for TypeORM and for the driver alike.
 * @param client the client class; connections that share it use the same host
 */
export function driverOptions(
  connection: Connection,
  use: ConnectionUse,
  client = clientFor(connection, use),
): DriverOptions {
  const { url, host, port, user, database } = loginOf(connection, use);
  // The driver takes one host. With several, the client class selects the host.
  const [first = ''] = url === undefined ? [] : parseServers(withoutOptions(url)).urls;
  return {
    ...(url === undefined ? { host, port, username: user, database } : { url: first }),
    poolSize: use.poolSize ?? 2,
    connectTimeoutMS: 5_000,
    extra: {
      ...sessionOptions(url, use),
      ...(use.socket ? { stream: use.socket } : {}),
      ...(client ? { Client: client } : {}),
    },
  };
}

/** For connections beside the data source's: probes and replicas. */
export function poolOptions(
  connection: Connection,
  use: ConnectionUse,
  client?: ClientClass,
): ServerPoolConfig {
  const options = driverOptions(connection, use, client);
  const { url, host, port, username, database } = options;
  return {
    ...(url === undefined ? { host, port, user: username, database } : { connectionString: url }),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMS,
    ...options.extra,
  };
}
