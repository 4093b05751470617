import { migrate } from '../src/database/migrate';
import { adminOf, makeProject } from './fleet/accounts';
import { openServer, withClient, type BenchServer } from './run/database';
import type { Options } from './run/options';
import { cpuOfServer, hasProc } from './run/processes';
import { headersOf, startService } from './run/service';

/** The numbers of hosts. What takes linear time takes four times as long for the second one. */
const SIZES = [8_000, 32_000];
/** The number of hosts in a request that creates them. */
const BULK = 200;
const REGIONS = 20;
const LABELS = 50;
const DATABASE = 'bench_imports';

type Send = (method: string, path: string, contentType: string, body?: string) => Promise<unknown>;

/** A part of the benchmark. The planner knows nothing of a database before its first step. */
interface Step {
  readonly name: string;
  readonly isInNewDatabase?: true;
  readonly run: (send: Send, hosts: number) => Promise<void>;
}

const STEPS: readonly Step[] = [
  { name: 'the first import', isInNewDatabase: true, run: (send, hosts) => importHosts(send, hosts, 1) },
  {
    name: 'the values of a variable, directly afterwards',
    run: async (send) => {
      await send('GET', '/v1/variable-keys/rack/values', 'application/json');
    },
  },
  { name: 'the same import again', run: (send, hosts) => importHosts(send, hosts, 1) },
  { name: 'an import that changes each host', run: (send, hosts) => importHosts(send, hosts, 2) },
  {
    name: `creation of an eighth of the hosts, ${String(BULK)} per request`,
    isInNewDatabase: true,
    run: (send, hosts) => createHosts(send, hosts / 8),
  },
];

/**
 * Measures imports into new databases, of which PostgreSQL has no statistics.
 * @param url a database on the measured server, as a superuser; undefined: the embedded server
 * @returns a Markdown table
 */
export async function measureImports(
  url: string | undefined,
  options: Options,
  log: (sentence: string) => void,
): Promise<string> {
  const server = url === undefined ? await openServer() : await serverAt(url);
  try {
    const [few, many] = SIZES.map((size) => (options.quick ? size / 10 : size)) as [number, number];
    const small = await measureSteps(server, few, options, log);
    const large = await measureSteps(server, many, options, log);
    return [
      `| PostgreSQL ${server.version}: time, CPU of PostgreSQL | ${few.toLocaleString('en')} hosts | ${many.toLocaleString('en')} hosts | ratio |`,
      '| --- | --- | --- | --- |',
      ...STEPS.flatMap(({ name }, i) => {
        const [first, second] = [small[i], large[i]];
        return first && second
          ? [`| ${name} | ${textOf(first)} | ${textOf(second)} | ${ratioOf(first, second)} |`]
          : [];
      }),
    ].join('\n');
  } finally {
    await server.close();
  }
}

type MeasuredServer = Pick<BenchServer, 'urlOf' | 'version' | 'close' | 'postmasters'>;

/** How long a step took, in seconds. */
interface Taken {
  readonly time: number;
  /** The CPU time of PostgreSQL, which other load hardly affects; undefined if it runs on another machine. */
  readonly cpu: number | undefined;
}

const textOf = ({ time, cpu }: Taken): string =>
  `${time.toFixed(2)} s${cpu === undefined ? '' : `, ${cpu.toFixed(2)} s`}`;

/** The ratio of the CPU times, or else of the times. */
const ratioOf = (first: Taken, second: Taken): string =>
  ((second.cpu ?? second.time) / (first.cpu ?? first.time)).toFixed(1);

async function serverAt(url: string): Promise<MeasuredServer> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ version: string; pid: string; is_local: boolean }>(
      `SELECT current_setting('server_version') AS version, split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid,
         inet_server_addr() IS NOT DISTINCT FROM inet_client_addr() AS is_local`,
    ),
  );
  const [server] = rows;
  if (!server) throw new Error('the server returned no row');
  return {
    version: server.version.replace(/ .*/, ''),
    postmasters: server.is_local ? [Number(server.pid)] : [],
    urlOf: (database) => Object.assign(new URL(url), { pathname: `/${database}` }).href,
    close: () => Promise.resolve(),
  };
}

/** Runs all steps. */
async function measureSteps(
  server: MeasuredServer,
  hosts: number,
  { service }: Options,
  log: (sentence: string) => void,
): Promise<Taken[]> {
  const all: Taken[] = [];
  let stop = () => Promise.resolve();
  let send: Send = () => Promise.reject(new Error('the first step has no database'));
  try {
    for (const { name, isInNewDatabase, run } of STEPS) {
      if (isInNewDatabase) {
        await stop();
        ({ send, stop } = await startInNewDatabase(server, service));
      }
      const cpuBefore = cpuOfPostgres(server);
      const began = performance.now();
      await run(send, hosts);
      const time = (performance.now() - began) / 1000;
      const cpu = cpuBefore === undefined ? undefined : (cpuOfPostgres(server) ?? 0) - cpuBefore;
      log(
        `PostgreSQL ${server.version}, ${hosts.toLocaleString('en')} hosts, ${name}: ${textOf({ time, cpu })}`,
      );
      all.push({ time, cpu });
    }
    return all;
  } finally {
    await stop();
  }
}

function cpuOfPostgres({ postmasters: [postmaster] }: MeasuredServer): number | undefined {
  return hasProc && postmaster !== undefined ? cpuOfServer(postmaster) : undefined;
}

/** Starts the service on a new database. `stop` drops the database. */
async function startInNewDatabase(server: MeasuredServer, folder: string) {
  const databaseUrl = server.urlOf(DATABASE);
  const drop = () =>
    withClient(server.urlOf('postgres'), (client) =>
      client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`),
    );
  await drop();
  await withClient(server.urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  await migrate({ url: databaseUrl });
  const headers = await withClient(databaseUrl, async (client) => {
    await makeProject(client, 'imports', true);
    return headersOf(await adminOf(client, 'imports'));
  });
  const program = await startService({ folder, profiles: undefined }, databaseUrl);
  const send: Send = async (method, path, contentType, body) => {
    const response = await fetch(program.url + path, {
      method,
      headers: { ...headers, 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
    return JSON.parse(text) as unknown;
  };
  const stop = async () => {
    await program.stop();
    await drop();
  };
  return { send, stop };
}

/** @param round the value of a variable of each host */
async function importHosts(send: Send, hosts: number, round: number): Promise<void> {
  const lines: object[] = Array.from({ length: REGIONS }, (_, i) => ({
    kind: 'region',
    name: regionName(i),
    variables: { dns: i },
  }));
  for (let i = 0; i < hosts; i++) lines.push({ kind: 'host', region: regionName(i), ...hostOf(i, round) });
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { failed } = (await send('POST', '/v1/import', 'application/x-ndjson', body)) as { failed: number };
  if (failed > 0) throw new Error(`${String(failed)} lines were not imported`);
}

async function createHosts(send: Send, hosts: number): Promise<void> {
  const create = (path: string, members: unknown) =>
    send('POST', path, 'application/json', JSON.stringify(members));
  const regions = (await create(
    '/v1/regions',
    Array.from({ length: REGIONS }, (_, i) => ({ name: regionName(i) })),
  )) as { id: number }[];
  for (let start = 0; start < hosts; start += BULK)
    await create(
      '/v1/hosts',
      Array.from({ length: Math.min(BULK, hosts - start) }, (_, i) => ({
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
