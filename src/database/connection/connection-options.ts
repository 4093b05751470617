import { Socket } from 'node:net';
import { SERVICE_ROLE, type ConnectionRole, type Connection } from './connection';
import { multiHostClient } from './multi-host-client';
import type { ClientClass, ServerPoolConfig } from './server-config';
import { parseServers } from '../../config/database-urls';
import { CONNECTION_LIFETIME_SECONDS } from '../sql';

/** The timeouts of statements and transactions. */
export interface TimeLimits {
  /** For one statement, in seconds. The database itself enforces it. */
  readonly statement: number;
  /** For one transaction, in seconds. */
  readonly transaction: number;
}

/**
 * How much later than the statement timeout the client gives up: then the response was lost, or the server does not
 * respond.
 */
const RESPONSE_MARGIN_MS = 5_000;

/** The query timeout of the client, in milliseconds. */
export const queryTimeout = ({ statement }: TimeLimits): number => statement * 1000 + RESPONSE_MARGIN_MS;

/** How long a statement or a transaction waits for a connection. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** The injection token of `TimeLimits`. Commands do not provide it, so they have no timeouts. */
export const TIME_LIMITS = Symbol('time limits');

/** The token of a boolean: whether the application runs without a database. Absent: it does not. */
export const WITHOUT_DATABASE = Symbol('without database');

/** How the connections are used. */
export interface ConnectionUse {
  readonly as: ConnectionRole;
  readonly poolSize?: number;
  /** Whether statements wait for locks without a timeout. Migrations do; requests must not. */
  readonly waitsForLocks?: boolean;
  /** The statement timeout; undefined: none. */
  readonly statementSeconds?: number;
  /** Creates the sockets of the connections. */
  readonly socket?: () => Socket;
}

/** The options of TypeORM. */
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

/** Without timeouts, a few requests that wait for a lock would occupy the whole pool. */
const LOCK_TIMEOUTS = ['-c lock_timeout=10s', '-c idle_in_transaction_session_timeout=60s'];

/**
 * The default cost of reading a page by an index assumes a rotating disk. With it, small tables such as those of cells
 * are scanned for each row of a list instead.
 */
const INDEX_COST = '-c random_page_cost=1.1';

/**
 * Settings that alter the meaning of statements or the form of values. They override those of the server, the database, the
 * role and the URL.
 */
const FIXED_SETTINGS = Object.entries({
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read\\ committed',
  default_transaction_deferrable: 'off',
  row_security: 'on',
}).map(([name, value]) => `-c ${name}=${value}`);

const OPTIONS = /([?&])options=([^&]*)(?:&|$)/;

/** The `options` of a URL. The driver would let them replace all other options, including the service's role. */
const optionsOf = (url: string): string =>
  decodeURIComponent(OPTIONS.exec(url)?.[2]?.replaceAll('+', ' ') ?? '');

const withoutOptions = (url: string): string => url.replace(OPTIONS, '$1').replace(/[?&]$/, '');

const loginOf = (connection: Connection, { as }: ConnectionUse): Connection =>
  as === 'owner' ? (connection.owner ?? connection) : connection;

/** The options of sessions on any server. */
const sessionOptions = (url: string | undefined, use: ConnectionUse) => ({
  application_name: 'muster',
  keepAlive: true,
  // With the default of two hours, idle connections that a network device dropped would be detected too late.
  keepAliveInitialDelayMillis: 10_000,
  options: [
    // Temporary tables come last, so that none can shadow a table of the service.
    ...(use.as === 'service' ? ['-c search_path=public,pg_temp', INDEX_COST] : []),
    optionsOf(url ?? ''),
    ...FIXED_SETTINGS,
    ...(use.as === 'service' ? [`-c role=${SERVICE_ROLE}`] : []),
    ...(use.waitsForLocks === true ? [] : LOCK_TIMEOUTS),
    ...(use.statementSeconds === undefined ? [] : [`-c statement_timeout=${String(use.statementSeconds)}s`]),
    // Overrides the settings of the owner's role, because building an index can take long.
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
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      ...sessionOptions(url, use),
      ...(use.socket ? { stream: use.socket } : {}),
      ...(client ? { Client: client } : {}),
    },
  };
}

/** The options of connections outside of the data source: probes and replicas. */
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

class DatabaseUnresponsiveError extends Error {
  override readonly name = 'DatabaseUnresponsiveError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the database does not respond');
  }
}

/** Fails without connecting. Attempts would fill the accept queue of a stopped server. */
class FailingSocket extends Socket {
  override connect(): this {
    process.nextTick(() => this.destroy(new DatabaseUnresponsiveError()));
    return this;
  }
}

/** The sockets of a pool. They can all be closed at once, so that waiting queries fail. */
export class PoolSockets {
  private readonly sockets = new Set<Socket>();
  private isClosed = false;

  /** Creates an unconnected socket, for the driver's `stream` option. */
  readonly create = (): Socket => {
    if (this.isClosed) return new FailingSocket();
    const socket = new Socket();
    this.sockets.add(socket);
    // The driver listens for errors only once it connects, but the socket can be destroyed before.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  /** Destroys all sockets. New sockets fail until `reopen` is called. */
  closeAll(): void {
    this.isClosed = true;
    for (const socket of this.sockets) socket.destroy(new DatabaseUnresponsiveError());
  }

  /** Lets new sockets connect again. */
  reopen(): void {
    this.isClosed = false;
  }
}
