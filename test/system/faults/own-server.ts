import { chmodSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOn } from '../../support/system-processes';
import { Server } from '../../support/replicated';

/** A PostgreSQL server for one test, which may damage it. */
export interface OwnServer {
  readonly server: Server;
  readonly url: string;
  end(): Promise<void>;
}

export async function ownServer(settings: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-server-`));
  chmodSync(folder, 0o755);
  const server = await Server.start(folder, settings);
  await server.rows(`CREATE DATABASE ${new URL(server.url).pathname.slice(1)}`, 'postgres');
  return {
    server,
    url: server.url,
    end: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The processes of the server on a data folder, found by their working directory. */
export const postgresOn = (dataDir: string): number[] =>
  processesOn(dataDir).filter((pid) => {
    try {
      return readlinkSync(`/proc/${String(pid)}/cwd`).startsWith(join(dataDir, 'postgres'));
    } catch {
      // The process has exited.
      return false;
    }
  });
