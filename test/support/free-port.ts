import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral range. */
const [MIN, MAX] = [20_000, 32_000];

/** A free loopback port below the ephemeral range, so the system does not assign it to another socket. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN, MAX);
    const server = createServer();
    const listening = new Promise<boolean>((resolve, reject) => {
      server.once('listening', () => {
        resolve(true);
      });
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') resolve(false);
        else reject(error);
      });
    });
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The URL of a server to which connections are refused. */
export const refusingUrl = async (): Promise<string> => `http://127.0.0.1:${String(await freePort())}`;
