import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { socketFolderOf } from '@muster/embedded-postgres';
import { Client } from 'pg';
import { Caller } from '../../support/caller';
import { freePort } from '../../support/free-port';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { processesOn } from '../../support/system-processes';
import { until } from '../../support/until';
import { expectMetricsOnTheirPort } from '../processes/metrics-port';
import { cleanUp, eventually, lastingFolder, query, temporaryFolder } from './processes';

const startService = (environment: Record<string, string>): ServiceProcess =>
  startServiceProcess({ LOG_LEVEL: 'fatal', ...environment });

/** Results of the first start, with two workers. The other tests use its folder. */
let first: { dataDir: string; service: ServiceProcess; waited: number; left: number[] };

beforeAll(async () => {
  const dataDir = join(lastingFolder(), 'data');
  const port = await freePort();
  const workers = { WORKERS: '2', METRICS_PORT: String(port), FEED_WAITERS: '1' };
  const service = startService({ DATA_DIR: dataDir, ...workers });
  const root = await service.root();
  await expectMetricsOnTheirPort(root, port);
  const wait = (seconds: number) =>
    root.get(`/v1/changes/feed?after=latest&wait=${String(seconds)}`).then(({ status }) => status);
  const waiting = wait(60);
  // The worker lets one client wait, and rejects the next one.
  await until('a client waits', 30, async () => (await wait(1)) === 503);
  // A terminal sends Ctrl-C to the process group.
  process.kill(-service.pid, 'SIGINT');
  const waited = await waiting;
  expect(await service.ended).toBe(0);
  first = { dataDir, service, waited, left: processesOn(dataDir) };
}, 120_000);

// Tests that do not use the first folder run concurrently.
afterAll(cleanUp);

async function callerOf(service: ServiceProcess): Promise<Caller> {
  const [project = '', user = '', token = ''] = first.service.lines.map((line) =>
    line.slice(line.indexOf(': ') + 2),
  );
  return new Caller(await service.serving(), { project, user, token });
}

/** Expects that the service's login can change neither the schema nor records, and cannot become another role. */
async function expectUnprivilegedLogin(host: string): Promise<void> {
  const sessions = `SELECT DISTINCT usename AS login FROM pg_stat_activity WHERE application_name = 'muster'`;
  // The sessions of the owner, which has migrated, end a little later than the service closes them.
  await eventually(
    async () => (await query<{ login: string }>(host, sessions)).every(({ login }) => login === 'muster_app'),
    'the end of the sessions of the owner',
  );
  expect(await query(host, sessions)).toEqual([{ login: 'muster_app' }]);
  const client = new Client({ host, port: 5432, user: 'muster_app', database: 'muster' });
  await client.connect();
  for (const before of ['RESET ROLE', 'SET SESSION AUTHORIZATION DEFAULT'])
    for (const attack of ['DELETE FROM changes', 'DROP TABLE regions CASCADE', 'SET ROLE postgres']) {
      await client.query(before);
      await expect(client.query(attack)).rejects.toMatchObject({ code: '42501' });
    }
  await client.end();
}

describe('the first start', () => {
  it('prints only the credentials, once and each on its own line', () => {
    expect(first.service.lines).toEqual([
      expect.stringMatching(/^project: \S+$/),
      expect.stringMatching(/^username: \S+$/),
      expect.stringMatching(/^api key: \S{20,}$/),
    ]);
  });

  it('completes requests in progress and stops the service, its workers and PostgreSQL on Ctrl-C', () => {
    expect(first.waited).toBe(200);
    expect(first.left).toEqual([]);
    expect(first.service.errorLines).toEqual([
      expect.stringMatching(/serving on http:\S+ with 2 workers$/),
      'muster: received SIGINT, shutting down',
      'muster: stopped',
    ]);
  });
});

describe('a later start', () => {
  it('reports misspelled settings, prints no credentials, locks the data folder, and tries Keystone once', async () => {
    const misspelled = { PROT: '1234', DATABSE_URL: 'postgres://muster:secret@db/muster' };
    const keystone = {
      IDENTITY: 'keystone',
      KEYSTONE_AUTH_URL: 'http://127.0.0.1:1/v3',
      KEYSTONE_USERNAME: 'muster',
      KEYSTONE_PASSWORD: 'a-password-of-its-own',
    };
    const settings = { DATA_DIR: first.dataDir, LOG_LEVEL: 'error', ...keystone };
    const service = startService({ ...settings, ...misspelled, POST: '1' });
    const caller = await callerOf(service);
    await caller.get('/v1/regions').expect(200);
    await expectUnprivilegedLogin(socketFolderOf(first.dataDir));
    const second = startService({ DATA_DIR: first.dataDir });
    expect(await second.refusal()).toContain(`Another service (process ${String(service.pid)})`);
    await caller.get('/v1/regions').expect(200);

    // It logs that Keystone is unreachable, and serves.
    const isReported = (line: string) => line.includes('Keystone is not reachable at http://127.0.0.1:1');
    await service.line((line) => isReported(line) || undefined, 'the Keystone error');
    await caller.get('/v1/regions').expect(200);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.lines).toEqual([expect.stringContaining('"level":50')]);
    expect(service.lines.filter(isReported)).toHaveLength(1);
    // The last line of a log shows whether the service was stopped or killed.
    expect(service.errorLines).toEqual([
      'muster: The environment variable PROT is unknown and ignored. Did you mean PORT?',
      'muster: The environment variable DATABSE_URL is unknown and ignored. Did you mean DATABASE_URL?',
      expect.stringContaining('serving on'),
      'muster: received SIGTERM, shutting down',
      'muster: stopped',
    ]);
    expect([...service.lines, ...service.errorLines].join()).not.toContain('a-password-of-its-own');
  });
});

describe('startup fails with one sentence and exit code 1', () => {
  it('when the port is in use, and no process remains', async () => {
    const { dataDir } = first;
    const other = createServer();
    await new Promise<void>((settle) => other.listen(0, '127.0.0.1', settle));
    const { port } = other.address() as AddressInfo;
    try {
      const refused = startService({ DATA_DIR: dataDir, PORT: String(port) });
      expect(await refused.refusal()).toContain(`Port ${String(port)} on 127.0.0.1 is already in use`);
      expect(processesOn(dataDir)).toEqual([]);
    } finally {
      other.close();
    }
  });

  it.concurrent('when the data folder cannot be used', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await startService({ DATA_DIR: file }).refusal()).toContain(`The data folder ${file}`);
  });

  it.concurrent('when the database of DATABASE_URL cannot be reached', async () => {
    const several = 'postgres://muster:secret@127.0.0.1:1,127.0.0.1:2/muster';
    const sentence = await startService({ DATABASE_URL: several, DATABASE_OWNER_URL: several }).refusal();
    // The message names each of several servers, but no password.
    expect(sentence).toMatch(
      /database cannot be reached: 127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:2: .*ECONNREFUSED/,
    );
    expect(sentence).not.toContain('secret');
  });
});
