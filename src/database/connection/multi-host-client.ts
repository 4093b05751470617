import { Client, type ClientConfig } from 'pg';
import type { ServerList } from '../../config/database-urls';
import { singleFlight } from '../../core/concurrency';
import { HealthProbe } from '../health/health-probe';
import { runStatement } from '../queryable';
import { sql } from '../sql';
import type { ClientClass } from './server-config';

/** None of the hosts of a URL can be used. */
export class NoUsableHostError extends Error {
  override readonly name = 'NoUsableHostError';
  /** Marks the database as unavailable: see `isDatabaseUnavailable`. */
  readonly code = 'ENOHOST';

  /** @param reasons the errors of the hosts */
  constructor(
    message: string,
    readonly reasons: readonly unknown[] = [],
  ) {
    super(message);
  }
}

/** Called when connections go to another host than before. */
type SwitchListener = (host: string, former: string) => void;

interface Host {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

interface SessionState {
  [column: string]: unknown;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
}

const SESSION_STATE = sql`SELECT pg_is_in_recovery() AS is_standby,
  current_setting('transaction_read_only') = 'on' AS is_read_only`;

/** Finds the host for new connections. The result is cached until a connection fails. */
class HostSelector {
  private readonly hosts: readonly Host[];
  private current: Host | undefined;
  private isCurrentUsable = false;
  private readonly searchOnce = singleFlight(() => this.search());

  constructor(
    private readonly servers: ServerList,
    private readonly config: ClientConfig,
    private readonly onSwitch: SwitchListener,
  ) {
    this.hosts = servers.urls.map((url) => {
      // The driver parses the URL. This client is never connected.
      const { host, port } = new Client({ connectionString: url });
      return { name: `${host}:${String(port)}`, host, port, url };
    });
  }

  /** @throws NoUsableHostError */
  async select(): Promise<Host> {
    if (this.current && this.isCurrentUsable) return this.current;
    return this.searchOnce();
  }

  /** The next connection checks the hosts again. */
  invalidate(host: Host): void {
    if (host === this.current) this.isCurrentUsable = false;
  }

  /** @throws NoUsableHostError if a session does not have the `target_session_attrs` */
  check(state: SessionState | undefined): void {
    const { wanted } = this.servers;
    if (wanted === 'any' || !state) return;
    if (state.is_standby) throw new NoUsableHostError('the server is a standby');
    if (wanted === 'read-write' && state.is_read_only)
      throw new NoUsableHostError('the session is read-only');
  }

  /** Tries the host used last, then the others in the order of the URL. */
  private async search(): Promise<Host> {
    const { current } = this;
    const others = this.hosts.filter((host) => host !== current);
    const reasons: string[] = [];
    const errors: unknown[] = [];
    for (const host of current ? [current, ...others] : others) {
      const probe = new HealthProbe({ ...this.config, connectionString: host.url });
      try {
        this.check(await probe.query<SessionState>(SESSION_STATE));
        this.current = host;
        this.isCurrentUsable = true;
        if (current && current !== host) this.onSwitch(host.name, current.name);
        return host;
      } catch (error) {
        reasons.push(`${host.name}: ${messageOf(error)}`);
        errors.push(error);
      } finally {
        probe.close();
      }
    }
    throw new NoUsableHostError(reasons.join('; '), errors);
  }
}

/**
 * A client that connects to the first host with the wanted `target_session_attrs`, which the driver does not support.
 * All clients of the class use the same host.
 */
export function multiHostClient(
  servers: ServerList,
  config: ClientConfig,
  onSwitch: SwitchListener,
): ClientClass {
  const selector = new HostSelector(servers, config, onSwitch);
  return class MultiHostClient extends Client {
    override connect(): Promise<Client>;
    override connect(callback: (error: Error | null, client?: Client) => void): void;
    override connect(callback?: (error: Error | null, client?: Client) => void): Promise<Client> | undefined {
      const connected = this.connectToSelected();
      if (!callback) return connected;
      connected.then(() => {
        callback(null, this);
      }, callback);
      return undefined;
    }

    private async connectToSelected(): Promise<Client> {
      const { stream } = this.connection;
      const selected = await selector.select().catch((error: unknown) => {
        stream.destroy();
        throw error;
      });
      // The pool destroys the socket when the connection timeout expires.
      if (stream.destroyed) throw new NoUsableHostError('timeout exceeded when trying to connect');
      this.host = selected.host;
      this.port = selected.port;
      // A lost connection can mean a failover.
      this.on('error', () => {
        selector.invalidate(selected);
      });
      try {
        await super.connect();
        // The role of the host can have changed since it was selected.
        selector.check((await runStatement<SessionState>(this, SESSION_STATE)).rows[0]);
      } catch (error) {
        selector.invalidate(selected);
        this.end().catch(() => undefined);
        throw error;
      }
      return this;
    }
  };
}

/** A host name can have several addresses, and each its own error. */
const messageOf = (error: unknown): string => {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
};
