import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { adminOf, makeProject } from '../fleet/accounts';
import { withClient, type BenchServer } from './database';
import { headersOf, startService, type Credentials } from './service';

/** Sends a request, and returns the parsed response. */
export type Send = (method: string, path: string, contentType: string, body?: string) => Promise<unknown>;

/** The service on a database with a project. */
export interface ImportService {
  readonly send: Send;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** The database of imports into an empty one. */
export const IMPORT_DATABASE = 'bench_imports';

const REGIONS = 20;
const LABELS = 50;

/** Starts the service on an existing database. */
export async function startServiceOn(
  databaseUrl: string,
  folder: string,
  credentials: Credentials,
): Promise<ImportService> {
  const headers = headersOf(credentials);
  const program = await startService({ folder, profiles: undefined }, databaseUrl);
  const send: Send = async (method, path, contentType, body) => {
    // Not `fetch`, which waits five minutes for a response.
    const sent = request(program.url + path, {
      method,
      headers: { ...headers, 'content-type': contentType },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const parsed: unknown = await json(response);
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${method} ${path}: ${String(response.statusCode)} ${JSON.stringify(parsed)}`);
    return parsed;
  };
  return { send, pid: program.pid, stop: () => program.stop() };
}

type Server = Pick<BenchServer, 'urlOf'>;

/**
 * Makes an empty database with a project.
 * @param folder the built Muster whose schema it gets
 * @returns its admin
 */
export async function makeDatabase(server: Server, database: string, folder: string): Promise<Credentials> {
  await dropDatabase(server, database);
  await withClient(server.urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${database}`));
  const databaseUrl = server.urlOf(database);
  execFileSync(process.execPath, [join(folder, 'dist/src/cli.js'), 'migrate'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return withClient(databaseUrl, async (client) => {
    await makeProject(client, 'imports', true);
    return adminOf(client, 'imports');
  });
}

export async function dropDatabase(server: Server, database: string): Promise<void> {
  await withClient(server.urlOf('postgres'), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  );
}

/** @param round the value of a variable of each host */
export async function importHosts(send: Send, hosts: number, round: number): Promise<void> {
  const { failed } = (await send('POST', '/v1/import', 'application/x-ndjson', importBody(hosts, round))) as {
    failed: number;
  };
  if (failed > 0) throw new Error(`${String(failed)} lines were not imported`);
}

/** Regions and hosts, as lines. @param round the value of a variable of each host */
export function importBody(hosts: number, round: number): string {
  const lines: object[] = Array.from({ length: REGIONS }, (_, i) => ({
    kind: 'region',
    name: regionName(i),
    variables: { dns: i },
  }));
  for (let i = 0; i < hosts; i++) lines.push({ kind: 'host', region: regionName(i), ...hostOf(i, round) });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Creates hosts, many by each request. @param perRequest how many */
export async function createHosts(send: Send, hosts: number, perRequest: number): Promise<void> {
  const create = (path: string, members: unknown) =>
    send('POST', path, 'application/json', JSON.stringify(members));
  const regions = (await create(
    '/v1/regions',
    Array.from({ length: REGIONS }, (_, i) => ({ name: regionName(i) })),
  )) as { id: number }[];
  for (let start = 0; start < hosts; start += perRequest)
    await create(
      '/v1/hosts',
      Array.from({ length: Math.min(perRequest, hosts - start) }, (_, i) => ({
        region_id: regions[(start + i) % REGIONS]?.id,
        ...hostOf(start + i, 1),
      })),
    );
}

const regionName = (i: number): string => `region-${String(i % REGIONS)}`;

const hostOf = (i: number, round: number) => ({
  name: `host-${String(i).padStart(6, '0')}.example.net`,
  ip_address: `10.${String(i >> 16)}.${String((i >> 8) & 255)}.${String(i & 255)}`,
  device_type: 'server',
  labels: [`label-${String(i % LABELS)}`, `group-${String(i % 7)}`],
  variables: { rack: i % 400, serial: `S${String(i)}`, round },
});
