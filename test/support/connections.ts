import { readFileSync } from 'node:fs';

const LISTENING = '0A';

/**
 * The number of client connections of a service, from /proc. It includes idle keep-alive connections of the test: use a
 * `Caller` without an agent, and `Connection: close` with `fetch`.
 */
export function connectionsTo(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const of = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local = '']) => local.endsWith(`:${port}`));
  // Reading each of these files takes milliseconds, so avoid the second one.
  const ipv4 = of('/proc/net/tcp');
  const rows = ipv4.some(([, , , state]) => state === LISTENING) ? ipv4 : [...ipv4, ...of('/proc/net/tcp6')];
  // A connection that its process has closed has no inode.
  return rows.filter(([, , , state, , , , , , inode]) => state !== LISTENING && inode !== '0').length;
}
