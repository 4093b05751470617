import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { migrate } from '../src/database/migrate';
import { adminOf, makeProject, rootOf } from './fleet/accounts';
import { fleetDimensions } from './fleet/dimensions';
import { loadProjects } from './fleet/load';
import { ALONE, BUSY } from './run/case';
import { withClient } from './run/database';
import type { BenchRequest, Side } from './run/load';
import { measure } from './run/measure';
import type { Options } from './run/options';
import { headersOf } from './run/service';
import { Stage } from './run/stage';

const PROJECTS = 20;
const DEVICES = 50_000;
const nameOf = (number: number): string => `project-${String(number).padStart(2, '0')}`;
const NAMES = Array.from({ length: PROJECTS }, (_, i) => nameOf(i));

/** The same inventory on one server, and distributed. Both are kept between runs. */
const [PLAIN, DISTRIBUTED] = ['bench_one_server', 'bench_citus'];

/** A question about any of the projects. */
interface Question {
  readonly name: string;
  readonly connections: number;
  /** The requests for one project. */
  readonly requests: (project: Sample) => readonly BenchRequest[];
  readonly asRoot?: true;
}

interface Sample {
  readonly hosts: readonly number[];
  readonly serials: readonly string[];
}

let changes = 0;
const write = (id: number): BenchRequest => ({
  method: 'PUT',
  path: `/v1/hosts/${String(id)}/variables`,
  body: JSON.stringify({ bench: changes++ }),
});
const inherited = new URLSearchParams({ vars: 'dns_domain:"dns-0"' }).toString();
const page = (id: number): BenchRequest => ({ path: `/v1/hosts?limit=30&marker=${String(id)}` });
const one = (id: number): BenchRequest => ({ path: `/v1/hosts/${String(id)}` });

const QUESTIONS: readonly Question[] = [
  { name: 'one host', connections: ALONE, requests: ({ hosts }) => hosts.map(one) },
  { name: 'a page of 30 hosts', connections: ALONE, requests: ({ hosts }) => hosts.map(page) },
  {
    name: '`vars`, a region’s value, 30 hosts',
    connections: ALONE,
    requests: () => [{ path: `/v1/hosts?limit=30&${inherited}` }],
  },
  {
    name: '`vars`, a serial number',
    connections: ALONE,
    requests: ({ serials }) =>
      serials.map((text) => ({
        path: `/v1/hosts?${new URLSearchParams({ vars: `serial:"${text}"` }).toString()}`,
      })),
  },
  { name: 'a write of a variable', connections: ALONE, requests: ({ hosts }) => hosts.map(write) },
  {
    name: 'reads and a tenth of writes, 16 clients',
    connections: BUSY,
    requests: ({ hosts }) =>
      hosts.flatMap((id) => [
        one(id),
        one(id),
        one(id),
        page(id),
        page(id),
        page(id),
        one(id),
        page(id),
        one(id),
        write(id),
      ]),
  },
  {
    name: 'a page of 30 hosts of every project, for root',
    connections: ALONE,
    requests: () => [{ path: '/v1/hosts?limit=30' }],
    asRoot: true,
  },
];

/**
 * Compares one PostgreSQL server with Citus. Both run the same PostgreSQL on this machine, so the result is the overhead
 * of the distribution; what more machines gain cannot be measured on one.
 * @param url a database on the coordinator of a Citus cluster, as a superuser
 * @returns a Markdown table
 */
export async function compareWithCitus(
  url: string,
  options: Options,
  log: (sentence: string) => void,
): Promise<string> {
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: database }).href;
  await ensureInventories(url, urlOf, options, log);
  const postmasters = await postmastersOf(url);
  const server = {
    postmasters,
    readStatementTimes: () => Promise.resolve({ statements: 0, planning: 0, execution: 0 }),
  };
  const stage = new Stage(server, { folder: options.service, profiles: undefined });
  try {
    const sides = {
      plain: await sidesOf(stage, urlOf(PLAIN)),
      citus: await sidesOf(stage, urlOf(DISTRIBUTED)),
    };
    const lines = [
      '| Question | PostgreSQL: p50, p99 (ms) | Citus: p50, p99 (ms) | Throughput, Citus to PostgreSQL | CPU of the servers per request (µs): PostgreSQL, Citus |',
      '| --- | --- | --- | --- | --- |',
    ];
    for (const question of QUESTIONS) {
      const { figures, ratio } = await measure(
        { reference: sides.plain(question), service: sides.citus(question) },
        options,
        { connections: question.connections, server },
      );
      const [plain, citus] = [figures.reference, figures.service];
      if (!plain || !citus) throw new Error('a side was not measured');
      const { throughput, spread } = ratio('service', 'reference');
      const times = [plain, citus].map(({ p50, p99 }) => `${p50.toFixed(1)}, ${p99.toFixed(1)}`);
      const cpu = [plain, citus].map(({ postgresCpu }) => (postgresCpu ?? 0).toFixed(0)).join(', ');
      const errors = plain.errors + citus.errors;
      lines.push(
        `| ${question.name} | ${times.join(' | ')} | ${throughput.toFixed(2)} (${spread.map((limit) => limit.toFixed(2)).join(' to ')}) | ${cpu} |`,
      );
      log(`${question.name}: ${String(plain.requests + citus.requests)} requests, ${String(errors)} errors`);
      if (errors > 0) throw new Error(`${question.name}: ${String(errors)} errors`);
    }
    return lines.join('\n');
  } finally {
    await stage.clear();
  }
}

/** Starts the service on an inventory. @returns its side for each question, with requests to all projects in turn */
async function sidesOf(stage: Stage, databaseUrl: string): Promise<(question: Question) => Side> {
  const { url, pid } = await stage.service(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const root = headersOf(await rootOf(client, nameOf(0)));
    const projects: { readonly headers: Record<string, string>; readonly sample: Sample }[] = [];
    for (const name of NAMES) {
      const credentials = await adminOf(client, name);
      const { rows } = await client.query<{ id: string; serial: string }>(
        `SELECT id, variables ->> 'serial' AS serial FROM devices WHERE project_id = $1 AND kind = 'host'
           AND variables ? 'serial' AND id % 4999 = 0 ORDER BY id LIMIT 8`,
        [credentials.project],
      );
      const sample = { hosts: rows.map(({ id }) => Number(id)), serials: rows.map(({ serial }) => serial) };
      projects.push({ headers: headersOf(credentials), sample });
    }
    return (question) => {
      let count = 0;
      const next = (): BenchRequest => {
        const project = projects[count % PROJECTS];
        const requests = project && question.requests(project.sample);
        const request = requests?.[Math.floor(count++ / PROJECTS) % requests.length];
        if (!project || !request) throw new Error(`no request for ${question.name}`);
        return { ...request, headers: question.asRoot ? root : project.headers };
      };
      return { url, pid, headers: root, requests: [], next };
    };
  });
}

/** Makes the inventory on one server, and distributes a copy of it with `muster-admin distribute`. */
async function ensureInventories(
  url: string,
  urlOf: (database: string) => string,
  { service }: Options,
  log: (sentence: string) => void,
): Promise<void> {
  const has = (name: string) =>
    withClient(url, async (client) => {
      const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      return rows.length > 0;
    });
  if (!(await has(PLAIN))) {
    log(`makes ${PLAIN}`);
    await withClient(url, (client) => client.query(`CREATE DATABASE ${PLAIN}`));
    await migrate({ url: urlOf(PLAIN) });
    await withClient(urlOf(PLAIN), async (client) => {
      const projects = [];
      for (const name of NAMES)
        projects.push({
          id: await makeProject(client, name, name === nameOf(0)),
          dimensions: fleetDimensions(DEVICES),
        });
      await loadProjects(client, projects, log);
    });
  }
  if (await has(DISTRIBUTED)) return;
  log(`makes ${DISTRIBUTED}`);
  const { rows: nodes } = await withClient(url, (client) =>
    client.query<{ host: string; port: number }>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid',
    ),
  );
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error('pg_dist_node lists no coordinator');
  const onNode = ({ host, port }: { host: string; port: number }, database: string) =>
    Object.assign(new URL(urlOf(database)), { hostname: host, port: String(port) }).href;
  await withClient(url, (client) => client.query(`CREATE DATABASE ${DISTRIBUTED} TEMPLATE ${PLAIN}`));
  for (const node of workers)
    await withClient(onNode(node, 'postgres'), (client) => client.query(`CREATE DATABASE ${DISTRIBUTED}`));
  for (const node of nodes)
    await withClient(onNode(node, DISTRIBUTED), (client) => client.query('CREATE EXTENSION citus'));
  await withClient(urlOf(DISTRIBUTED), async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
  });
  const startedAt = performance.now();
  execFileSync(process.execPath, [join(service, 'dist/src/cli.js'), 'distribute'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: urlOf(DISTRIBUTED) },
    stdio: ['ignore', 2, 2],
  });
  log(`distributed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await withClient(urlOf(DISTRIBUTED), (client) => client.query('VACUUM ANALYZE'));
}

/** The process ids of the servers of a cluster on this machine. */
async function postmastersOf(url: string): Promise<number[]> {
  const statement = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`;
  return withClient(url, async (client) => {
    const { rows: workers } = await client.query<{ pid: string }>(
      `SELECT result AS pid FROM run_command_on_workers($1)`,
      [statement],
    );
    const { rows } = await client.query<{ pid: string }>(statement);
    return [...rows, ...workers].map(({ pid }) => Number(pid));
  });
}
