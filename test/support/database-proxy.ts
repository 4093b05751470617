import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { TestDatabase } from './test-database';

/** A way to a database that can be shut: then it is away for whoever goes by it. */
export interface DatabaseProxy {
  /** The same database, by way of the gate. */
  readonly database: TestDatabase;
  /** Cuts every connection and takes no new one. */
  disconnect(): Promise<void>;
  /** The next time that somebody sends this statement it is done, and the connection cut before the answer passes. */
  dropResponseTo(statement: string): void;
  reconnect(): Promise<void>;
  /** Resets every connection on which these words are sent to the database, instead of passing them on; undefined ends that. */
  resetAt(words: string | undefined): void;
}

/**
 * Puts a gate before a database. Dropping the database shuts it.
 * @param observer called for each connection; what it returns is called with all bytes that the client sends
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
  const hold = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    // Whatever ends one side ends the other: a cut is what this is for, so it is no error here.
    socket.on('error', () => other().destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
  };
  let losing: string | undefined;
  const server: Server = createServer((client) => {
    const target = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${String(port)}`) : connect(port, host);
    hold(client, () => target);
    hold(target, () => client);
    const observe = observer();
    client.on('data', (bytes: Buffer) => {
      observe(bytes);
      if (forbidden !== undefined && bytes.includes(forbidden)) {
        client.resetAndDestroy();
        return;
      }
      if (losing !== undefined && bytes.includes(`${losing}\0`)) {
        losing = undefined;
        target.unpipe(client);
        target.once('data', () => client.destroy()).resume();
      }
      target.write(bytes);
    });
    client.on('end', () => target.end());
    target.pipe(client);
  });
  let at = 0;
  const open = async () => {
    if (server.listening) return;
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the gate has no port');
    at = address.port;
  };
  const shut = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  const loseAnswerTo = (statement: string) => {
    losing = statement;
  };
  const cutAt = (words: string | undefined) => {
    forbidden = words;
  };
  await open();
  url.hostname = '127.0.0.1';
  url.port = String(at);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  const drop = async () => {
    await shut();
    await behind.drop();
  };
  return {
    database: { name: behind.name, url: url.href, drop },
    disconnect: shut,
    reconnect: open,
    dropResponseTo: loseAnswerTo,
    resetAt: cutAt,
  };
}
