import { ensureFleet } from './fleet/fleets';
import { openServer, type BenchServer } from './run/database';
import { dropDatabase, IMPORT_DATABASE, importHosts, makeDatabase, startServiceOn } from './run/import-load';
import type { Options } from './run/options';
import { cpuOf, cpuOfServer, hasProc, peakMemory } from './run/processes';
import { copyFleet, dropCopy } from './run/scratch';
import type { Credentials } from './run/service';
import { median } from './run/statistics';

/** One import into a database. */
interface Import {
  /** In seconds. */
  readonly time: number;
  /** The CPU time (s) of the service and of PostgreSQL; NaN without /proc. */
  readonly serviceCpu: number;
  readonly postgresCpu: number;
  /** The peak memory of the service, in MiB; NaN without /proc. */
  readonly memory: number;
}

/** A database to import into. */
interface Target {
  readonly name: string;
  /** Makes it anew. @param build whose import is measured */
  readonly make: (build: Build) => Promise<{ readonly url: string; readonly credentials: Credentials }>;
  readonly drop: () => Promise<void>;
}

/** A built Muster. */
interface Build {
  readonly name: string;
  readonly folder: string;
}

/**
 * Measures the rate of one import into an empty database, and into one with a fleet. Another build takes turns with the measured
 * one: an empty database has the schema of its build, and the fleet that of this commit.
 * @returns a Markdown table
 */
export async function measureImportRate(
  hosts: number,
  options: Options,
  log: (sentence: string) => void,
): Promise<string> {
  const server = await openServer();
  try {
    const targets = [emptyDatabase(server), fleetDatabase(server, options.size, log)];
    const builds: readonly Build[] = [
      { name: 'measured', folder: options.service },
      ...(options.against === undefined ? [] : [{ name: 'other build', folder: options.against }]),
    ];
    const rows: string[] = [];
    for (const target of targets) {
      const imports = new Map<Build, Import[]>(builds.map((build) => [build, []]));
      for (let turn = 0; turn < options.rounds; turn++)
        for (const [build, done] of imports) {
          const one = await measureOne(server, target, build, hosts);
          done.push(one);
          log(`${target.name}, ${build.name}: ${cellsOf(hosts, [one]).join(', ')}`);
        }
      const [measured, other] = [...imports.values()];
      for (const [{ name }, done] of imports)
        rows.push(`| ${target.name} | ${name} | ${cellsOf(hosts, done).join(' | ')} |`);
      if (measured && other) rows.push(`| ${target.name} | ratio | ${ratiosOf(other, measured)} |`);
    }
    return [
      `| ${hosts.toLocaleString('en')} hosts into (PostgreSQL ${server.version}) | Build | Time (s) | Hosts per second | CPU of the service (s) | CPU of PostgreSQL (s) | Memory of the service (MiB) |`,
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  } finally {
    await server.close();
  }
}

const emptyDatabase = (server: BenchServer): Target => ({
  name: 'an empty database',
  make: async ({ folder }) => ({
    credentials: await makeDatabase(server, IMPORT_DATABASE, folder),
    url: server.urlOf(IMPORT_DATABASE),
  }),
  drop: () => dropDatabase(server, IMPORT_DATABASE),
});

const fleetDatabase = (server: BenchServer, devices: number, log: (sentence: string) => void): Target => ({
  name: `a project of ${devices.toLocaleString('en')}`,
  make: async () => {
    const fleet = await copyFleet(server, await ensureFleet(server, devices, log));
    return { url: fleet.databaseUrl, credentials: fleet.credentials };
  },
  drop: () => dropCopy(server),
});

async function measureOne(
  { postmasters: [postmaster] }: BenchServer,
  { make, drop }: Target,
  build: Build,
  hosts: number,
): Promise<Import> {
  const { url, credentials } = await make(build);
  try {
    const service = await startServiceOn(url, build.folder, credentials);
    try {
      const cpu = () =>
        hasProc && postmaster !== undefined
          ? { service: cpuOf(service.pid), postgres: cpuOfServer(postmaster) }
          : { service: NaN, postgres: NaN };
      const before = cpu();
      const began = performance.now();
      await importHosts(service.send, hosts, 1);
      const time = (performance.now() - began) / 1000;
      const after = cpu();
      return {
        time,
        serviceCpu: after.service - before.service,
        postgresCpu: after.postgres - before.postgres,
        memory: hasProc ? peakMemory(service.pid) / 2 ** 20 : NaN,
      };
    } finally {
      await service.stop();
    }
  } finally {
    await drop();
  }
}

function cellsOf(hosts: number, imports: readonly Import[]): string[] {
  const medianOf = (read: (one: Import) => number) => median(imports.map(read));
  return [
    medianOf(({ time }) => time).toFixed(1),
    Math.round(hosts / medianOf(({ time }) => time)).toLocaleString('en'),
    medianOf(({ serviceCpu }) => serviceCpu).toFixed(1),
    medianOf(({ postgresCpu }) => postgresCpu).toFixed(1),
    medianOf(({ memory }) => memory).toFixed(0),
  ];
}

/** By how much the measured build is better: medians of the ratios of imports that followed each other. */
function ratiosOf(other: readonly Import[], measured: readonly Import[]): string {
  const ratio = (read: (one: Import) => number) =>
    median(
      other.flatMap((one, i) => {
        const faster = measured[i];
        return faster ? [read(one) / read(faster)] : [];
      }),
    ).toFixed(2);
  return [
    ratio(({ time }) => time),
    // The rate is the inverse of the time.
    '',
    ratio(({ serviceCpu }) => serviceCpu),
    ratio(({ postgresCpu }) => postgresCpu),
    ratio(({ memory }) => memory),
  ].join(' | ');
}
