import { isNativeError } from 'node:util/types';
import { Client } from 'pg';
import type { ClientClass } from '../connection/pool-config';
import { NoServer, type Servers } from './servers';

/** A client that connects to the one of these servers that is wanted, whichever its configuration names. */
export function clientAmong(servers: Servers): ClientClass {
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
