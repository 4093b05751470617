import { openServer, withClient, type BenchServer } from './run/database';
import {
  createHosts,
  dropDatabase,
  IMPORT_DATABASE,
  importBody,
  importHosts,
  makeDatabase,
  startServiceOn,
  type Send,
} from './run/import-load';
import type { Options } from './run/options';
import { cpuOf, cpuOfServer, hasProc } from './run/processes';

/** What an import does in the database, by the statements. The rest of its time is that of the service. */
const PHASES: readonly (readonly [name: string, statements: RegExp])[] = [
  ['stage', /import_(?:lines|parents|places|cells|changes)\b/],
  ['statistics', /^SELECT analyze_table/],
  [
    'record',
    /^(?:WITH .+? AS \()?INSERT INTO (?:changes|change_objects|change_impacts|variable_correlations)\b/,
  ],
  ['write and index', /^(?:INSERT INTO|UPDATE|DELETE FROM) (?:devices|device_labels|regions|labels)\b/],
  ['compare', /^SELECT (?:t\.project_id, t\.id AS id|t\.id, true AS is_updated)/],
  ['resolve and lock', /^SELECT /],
];

/** The numbers of hosts. What takes linear time takes four times as long for the second one. */
const SIZES = [8_000, 32_000];
/** A proposal of an import can have 10,000 lines. */
const PROPOSED_SHARE = 4;
/** The number of hosts in a request that creates them. */
const BULK = 200;

/** A part of the benchmark. The planner knows nothing of a database before its first step. */
interface Step {
  readonly name: string;
  readonly isInNewDatabase?: true;
  /** Whether its phases are shown. */
  readonly isImport?: true;
  readonly run: (send: Send, hosts: number) => Promise<void>;
}

const STEPS: readonly Step[] = [
  {
    name: 'the first import',
    isInNewDatabase: true,
    isImport: true,
    run: (send, hosts) => importHosts(send, hosts, 1),
  },
  {
    name: 'the values of a variable, directly afterwards',
    run: async (send) => {
      await send('GET', '/v1/variable-keys/rack/values', 'application/json');
    },
  },
  { name: 'the same import again', isImport: true, run: (send, hosts) => importHosts(send, hosts, 1) },
  {
    name: 'an import that changes each host',
    isImport: true,
    run: (send, hosts) => importHosts(send, hosts, 2),
  },
  {
    name: 'the dry run of an import that changes a quarter of the hosts',
    isImport: true,
    run: (send, hosts) => importPart(send, hosts, 3, 'dry_run=true'),
  },
  {
    name: 'a proposal of the same',
    isImport: true,
    run: (send, hosts) => importPart(send, hosts, 3, 'propose=benchmark'),
  },
  { name: 'the preview of that proposal', isImport: true, run: previewProposal },
  {
    name: 'a proposal of an import of a quarter of the hosts',
    isInNewDatabase: true,
    isImport: true,
    run: (send, hosts) => importPart(send, hosts, 1, 'propose=benchmark'),
  },
  { name: 'its preview', isImport: true, run: previewProposal },
  {
    name: `creation of an eighth of the hosts, ${String(BULK)} per request`,
    isInNewDatabase: true,
    run: (send, hosts) => createHosts(send, hosts / 8, BULK),
  },
];

/** An import of a quarter of the hosts that is not done. */
async function importPart(send: Send, hosts: number, revision: number, query: string): Promise<void> {
  const body = importBody(hosts / PROPOSED_SHARE, revision);
  await send('POST', `/v1/import?${query}`, 'application/x-ndjson', body);
}

/** Previews the only proposal. */
async function previewProposal(send: Send): Promise<void> {
  const [proposal] = (await send('GET', '/v1/proposals', 'application/json')) as { id: number }[];
  await send('GET', `/v1/proposals/${String(proposal?.id)}/preview`, 'application/json');
}

/**
 * Measures imports into new databases, of which PostgreSQL has no statistics.
 * @param url a database on the measured server, as a superuser; undefined: the embedded server
 * @returns Markdown tables
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
      '',
      ...phasesTable(many, large),
    ].join('\n');
  } finally {
    await server.close();
  }
}

/** Where the time of the imports goes. */
function phasesTable(hosts: number, steps: readonly Taken[]): string[] {
  const imports = STEPS.flatMap(({ name, isImport }, i) => {
    const taken = steps[i];
    return isImport && taken ? [{ name, taken }] : [];
  });
  const cells = (read: (taken: Taken) => number | undefined) =>
    imports.map(({ taken }) => `${read(taken)?.toFixed(2) ?? '?'} s`).join(' | ');
  const names = PHASES.map(([name]) => name);
  return [
    `| ${hosts.toLocaleString('en')} hosts | ${imports.map(({ name }) => name).join(' | ')} |`,
    `| --- |${' --- |'.repeat(imports.length)}`,
    `| time | ${cells(({ time }) => time)} |`,
    `| parse, and other CPU time of the service | ${cells(({ serviceCpu }) => serviceCpu)} |`,
    ...names.map((name) => `| ${name}: statements | ${cells(({ phases }) => phases?.get(name) ?? 0)} |`),
  ];
}

type MeasuredServer = Pick<BenchServer, 'urlOf' | 'version' | 'close' | 'postmasters'>;

/** How long a step took, in seconds. */
interface Taken {
  readonly time: number;
  /** The CPU time of PostgreSQL, which other load hardly affects; undefined if it runs on another machine. */
  readonly cpu: number | undefined;
  readonly serviceCpu: number | undefined;
  /** The times of the statements by phase; undefined if the server does not count them. */
  readonly phases: ReadonlyMap<string, number> | undefined;
}

const textOf = ({ time, cpu }: Pick<Taken, 'time' | 'cpu'>): string =>
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
  { service: folder }: Options,
  log: (sentence: string) => void,
): Promise<Taken[]> {
  const all: Taken[] = [];
  let stop = () => Promise.resolve();
  let send: Send = () => Promise.reject(new Error('the first step has no database'));
  let service = 0;
  try {
    for (const { name, isInNewDatabase, run } of STEPS) {
      if (isInNewDatabase) {
        await stop();
        ({ send, stop, pid: service } = await startInNewDatabase(server, folder));
      }
      const phasesBefore = await phasesOf(server);
      const cpuBefore = cpuOfPostgres(server);
      const serviceBefore = hasProc ? cpuOf(service) : undefined;
      const began = performance.now();
      await run(send, hosts);
      const time = (performance.now() - began) / 1000;
      const cpu = cpuBefore === undefined ? undefined : (cpuOfPostgres(server) ?? 0) - cpuBefore;
      log(
        `PostgreSQL ${server.version}, ${hosts.toLocaleString('en')} hosts, ${name}: ${textOf({ time, cpu })}`,
      );
      const serviceCpu = serviceBefore === undefined ? undefined : cpuOf(service) - serviceBefore;
      all.push({ time, cpu, serviceCpu, phases: difference(await phasesOf(server), phasesBefore) });
    }
    return all;
  } finally {
    await stop();
  }
}

type Phases = ReadonlyMap<string, number> | undefined;

/** The times (s) of all statements in the measured database so far, by phase. */
async function phasesOf(server: MeasuredServer): Promise<Phases> {
  const found = await withClient(server.urlOf('postgres'), async (client) => {
    const { rows } = await client.query<{ counts: boolean }>(
      `SELECT to_regclass('pg_stat_statements') IS NOT NULL AS counts`,
    );
    if (rows[0]?.counts !== true) return undefined;
    return client.query<{ query: string; seconds: number }>(
      `SELECT s.query, (s.total_plan_time + s.total_exec_time) / 1000 AS seconds
       FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = $1`,
      [IMPORT_DATABASE],
    );
  });
  if (!found) return undefined;
  const phases = new Map<string, number>();
  for (const { query, seconds } of found.rows) {
    const text = query.replaceAll(/\s+/g, ' ').trim();
    const [name] = PHASES.find(([, statements]) => statements.test(text)) ?? [];
    if (name !== undefined) phases.set(name, (phases.get(name) ?? 0) + seconds);
  }
  return phases;
}

const difference = (after: Phases, before: Phases): Phases =>
  after && new Map([...after].map(([name, seconds]) => [name, seconds - (before?.get(name) ?? 0)]));

function cpuOfPostgres({ postmasters: [postmaster] }: MeasuredServer): number | undefined {
  return hasProc && postmaster !== undefined ? cpuOfServer(postmaster) : undefined;
}

/** Starts the service on a new database. `stop` drops the database. */
async function startInNewDatabase(server: MeasuredServer, folder: string) {
  const credentials = await makeDatabase(server, IMPORT_DATABASE, folder);
  const { send, pid, stop } = await startServiceOn(server.urlOf(IMPORT_DATABASE), folder, credentials);
  return {
    send,
    pid,
    stop: async () => {
      await stop();
      await dropDatabase(server, IMPORT_DATABASE);
    },
  };
}
