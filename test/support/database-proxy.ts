import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port';
import type { TestDatabase } from './test-database';

/** A proxy to a database that can be disconnected. */
export interface DatabaseProxy {
  /** The same database through the proxy. */
  readonly database: TestDatabase;
  /** Closes all connections and accepts no new ones. */
  disconnect(): Promise<void>;
  /** Executes the next statement with this text, and closes the connection before the response. */
  dropResponseTo(statement: string): void;
  /** Ends each connection that its client terminates, but not the session of the server, until `disconnect`. */
  holdSessionsOpen(): void;
  reconnect(): Promise<void>;
  /** Resets each connection that sends these words, without forwarding them. `undefined` turns this off. */
  resetAt(words: string | undefined): void;
}

/** The message of a client that ends its session. */
const TERMINATE = Buffer.from('X\0\0\0\u0004');

/**
 * Starts a proxy to a database. Dropping the database stops it.
 * @param observer called for each connection; returns a function that is called with the bytes that the client sends
 */
export async function startDatabaseProxy(
  behind: TestDatabase,
  observer: () => (bytes: Buffer) => void = () => () => undefined,
): Promise<DatabaseProxy> {
  const url = new URL(behind.url);
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432));
  const sockets = new Set<Socket>();
  let forbidden: string | undefined;
  let holdsSessionsOpen = false;
  const hold = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    // Closing one side closes the other. Errors are expected.
    socket.on('error', () => other().destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      if (!holdsSessionsOpen) other().destroy();
    });
  };
  let droppedStatement: string | undefined;
  const server: Server = createServer((client) => {
    const target = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${String(port)}`) : connect(port, host);
    hold(client, () => target);
    hold(target, () => client);
    const observe = observer();
    client.on('data', (bytes: Buffer) => {
      observe(bytes);
      if (holdsSessionsOpen && bytes.equals(TERMINATE)) {
        client.destroy();
        return;
      }
      if (forbidden !== undefined && bytes.includes(forbidden)) {
        client.resetAndDestroy();
        return;
      }
      if (droppedStatement !== undefined && bytes.includes(`${droppedStatement}\0`)) {
        droppedStatement = undefined;
        target.unpipe(client);
        target.once('data', () => client.destroy()).resume();
      }
      target.write(bytes);
    });
    client.on('end', () => target.end());
    target.pipe(client);
  });
  const listeningPort = await freePort();
  const reconnect = async () => {
    if (server.listening) return;
    server.listen(listeningPort, '127.0.0.1');
    await once(server, 'listening');
  };
  const disconnect = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  const dropResponseTo = (statement: string) => {
    droppedStatement = statement;
  };
  const holdSessionsOpen = () => {
    holdsSessionsOpen = true;
  };
  const resetAt = (words: string | undefined) => {
    forbidden = words;
  };
  await reconnect();
  url.hostname = '127.0.0.1';
  url.port = String(listeningPort);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  const drop = async () => {
    await disconnect();
    await behind.drop();
  };
  return {
    database: { name: behind.name, url: url.href, drop },
    disconnect,
    reconnect,
    dropResponseTo,
    holdSessionsOpen,
    resetAt,
  };
}
