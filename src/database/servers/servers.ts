import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import { Probe } from '../health/health-probe';
import { run } from '../queryable';
import { sql } from '../sql';
import { ServerChoice, type ServerState } from './primary-selection';
import { placeOf, type NamedServers } from '../../config/database-urls';

/** A server of a list. */
export interface Server {
  /** By which people know it: host and port. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** A `ServerState`. */
const STATE = sql`SELECT pg_is_in_recovery() AS follows, current_setting('transaction_read_only') = 'on' AS reads,
  (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/** None of the servers will do. */
export class NoServer extends Error {
  override readonly name = 'NoServer';
  /** By which it is known that the database is away. */
  readonly code = 'ENOSERVER';
}

/** When one will do, so much later, in milliseconds, those that have not answered are waited for no longer. */
const GRACE_MS = 300;
/** So often, in milliseconds, they are asked while they are watched. */
const LOOK_EVERY_MS = 1_000;

/** The servers that a URL names, of which one is to be connected to: see `serversOf`. */
export class Servers {
  private readonly each: readonly { readonly server: Server; readonly probe: Probe }[];
  private found: Server | undefined;
  private finding: Promise<Server> | undefined;
  private readonly choice: ServerChoice<Server>;
  private unfit: ReadonlySet<Server> = new Set();
  private isWatched = false;
  private readonly clients = new Map<Client, Server>();

  /** @param config how each is connected to, but for where it is */
  constructor(
    private readonly named: NamedServers,
    config: ClientConfig,
  ) {
    this.each = named.urls.map((url) => {
      const { host, port } = placeOf(url);
      const probe = new Probe({ ...config, connectionString: url });
      return { server: { name: `${host}:${String(port)}`, host, port }, probe };
    });
    this.choice = new ServerChoice(
      this.each.map(({ server }) => server),
      named.wanted,
    );
  }

  /**
   * The server to connect to. All are asked at once; of several that will do it is the one that it was before, and else
   * the first that is named.
   * @throws NoServer if none will do
   */
  async find(): Promise<Server> {
    return this.found ?? this.look();
  }

  /** Something is wrong with a server: the next who asks does not get it unseen. */
  forget(server: Server): void {
    if (this.found === server) this.found = undefined;
  }

  /** @throws NoServer if a client's server is not the wanted one, whatever it was when it was found */
  async check(server: Server, client: Client): Promise<void> {
    if (this.named.wanted === 'any') return;
    const [state] = (await run<ServerState>(client, STATE)).rows;
    const reproach = state && this.choice.reproach(state);
    if (reproach !== undefined) throw new NoServer(`${server.name} ${reproach}`);
  }

  /** Knows of a client for as long as it is connected. */
  hold(client: Client, server: Server): void {
    this.clients.set(client, server);
    client.once('end', () => {
      this.clients.delete(client);
      this.forget(server);
    });
  }

  /**
   * Looks again and again whether the wanted server is another one by now, and ends the connections to those that will
   * not do any more: a server that hangs, or one that does not know that it is no longer the primary, would keep them.
   * @param told told when it is another one
   */
  async watch(signal: AbortSignal, told: (server: Server, before: Server) => void): Promise<void> {
    this.isWatched = true;
    let before = this.found;
    while (!signal.aborted) {
      // Where there is none, whoever wants a connection is told.
      const server = await this.look().catch(() => undefined);
      if (server && before && server !== before) told(server, before);
      if (server) this.leaveUnfit();
      before = server ?? before;
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    this.isWatched = false;
    for (const { probe } of this.each) probe.close();
  }

  private leaveUnfit(): void {
    for (const [client, server] of this.clients)
      if (this.unfit.has(server)) {
        this.clients.delete(client);
        // As if it had been lost: then its pool does not keep it, and whoever waits for an answer is told.
        client.connection.stream.destroy();
      }
  }

  private look(): Promise<Server> {
    this.finding ??= this.choose().finally(() => {
      this.finding = undefined;
    });
    return this.finding;
  }

  private async choose(): Promise<Server> {
    const faults = new Map<Server, string>();
    const states = new Map<Server, ServerState>();
    let known: () => void = () => undefined;
    const oneIsKnown = new Promise<void>((resolve) => (known = resolve));
    const asked = this.each.map(async ({ server, probe }) => {
      try {
        const state = await probe.ask<ServerState>(STATE);
        states.set(server, state);
        if (this.choice.reproach(state) === undefined) known();
      } catch (error) {
        faults.set(server, `does not answer: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    const timer = new AbortController();
    const { signal } = timer;
    const enough = oneIsKnown.then(() => delay(GRACE_MS, undefined, { signal, ref: false }));
    await Promise.race([Promise.all(asked), enough]);
    timer.abort();
    enough.catch(() => undefined);
    if (!this.isWatched) for (const { probe } of this.each) probe.close();

    const { chosen, unfit } = this.choice.among(states);
    this.unfit = unfit;
    this.found = chosen;
    if (chosen) return chosen;
    for (const [server, state] of states) {
      const reproach = this.choice.reproach(state);
      if (reproach !== undefined) faults.set(server, reproach);
    }
    throw new NoServer(
      this.each.map(({ server }) => `${server.name} ${faults.get(server) ?? 'does not answer'}`).join('; '),
    );
  }
}
