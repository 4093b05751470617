import { isNativeError } from 'node:util/types';
import { Client, type ClientConfig, type PoolConfig } from 'pg';
import { NoServer, type Servers } from './servers';

/** A driver's client, as pools make them. */
export type ClientClass = new (config?: string | ClientConfig) => Client;

/** How a server is connected to, or the wanted one of several. */
export type ServerConfig = ClientConfig & { readonly Client?: ClientClass };

/** The same for a pool. */
export type ServerPoolConfig = PoolConfig & ServerConfig;

/** A client that connects to the one of these servers that is wanted, whichever its configuration names. */
export function clientOf(servers: Servers): ClientClass {
  return class ServerClient extends Client {
    override connect(): Promise<Client>;
    override connect(callback: (error: Error | null, client?: Client) => void): void;
    override connect(callback?: (error: Error | null, client?: Client) => void): Promise<Client> | undefined {
      const connected = this.connectToWanted();
      if (!callback) return connected;
      connected.then(
        () => {
          callback(null, this);
        },
        (error: unknown) => {
          callback(isNativeError(error) ? error : new Error(String(error)));
        },
      );
      return undefined;
    }

    private async wanted() {
      try {
        return await servers.find();
      } catch (error) {
        // Whoever made it for this client waits for its end.
        this.connection.stream.destroy();
        throw error;
      }
    }

    private async connectToWanted(): Promise<Client> {
      const server = await this.wanted();
      // Whoever wanted it may have given up meanwhile.
      if (this.connection.stream.destroyed) throw new NoServer('timeout exceeded when trying to connect');
      this.host = server.host;
      this.port = server.port;
      // Nobody listens yet, and whoever waits for the answer to a question is told anyway.
      const ignore = () => undefined;
      this.on('error', ignore);
      try {
        await super.connect();
        await servers.check(server, this);
      } catch (error) {
        servers.forget(server);
        this.end().catch(() => undefined);
        throw error;
      } finally {
        this.off('error', ignore);
      }
      servers.hold(this, server);
      return this;
    }
  };
}
