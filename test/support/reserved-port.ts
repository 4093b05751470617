import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems choose. */
const [MIN, MAX] = [20_000, 32_000];

/**
 * A free port on loopback. The operating system gives it to no process that listens on any port, or that connects, while nobody listens
 * on it: it would choose one that was free a moment ago.
 */
export async function reservedPort(): Promise<number> {
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
