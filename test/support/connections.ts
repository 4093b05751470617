import { readFileSync } from 'node:fs';

const LISTENING = '0A';

/**
 * How many connections a service has with its clients, as Linux tells. Connections that a test keeps open to send its next
 * request count as well: take a `Caller` without an agent, and `Connection: close` with `fetch`.
 */
export function connectionsTo(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  );
  return rows.filter((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    // A connection that its process has closed has no inode any more.
    return local.endsWith(`:${port}`) && state !== LISTENING && inode !== '0';
  }).length;
}
