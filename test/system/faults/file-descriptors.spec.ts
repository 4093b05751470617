import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Caller } from '../../support/caller';
import { RawConnection, requestText } from '../../support/raw-connection';
import { credentialsOf, PROJECT } from '../../support/service';
import { ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';

// The machine may be busy.
jest.setTimeout(120_000);

/** What the operating system allows the service. At its start it has about 30 open files. */
const LIMIT = 100;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a service without a free file descriptor warns at its start, and responds with 503', async () => {
  const env = {
    ...{ PATH: process.env.PATH, PORT: '0', SECRETS_KEY: 'A'.repeat(43) + '=', DATABASE_URL: database.url },
    // Connections without a request stay open.
    HEADER_SECONDS: '300',
  };
  const main = join(PROJECT, 'dist/src/main.js');
  const script = `ulimit -n ${String(LIMIT)}; exec "$0" "$@"`;
  const service = new ServiceProcess(
    spawn('/bin/sh', ['-c', script, process.execPath, main], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
  const { project, user, token } = await credentialsOf(service);
  const url = await service.serving();
  expect(service.errorOutput).toMatch(
    /^muster: The settings need 4216 open files per process, most of them for MAX_CONNECTIONS, and the limit is 100: /m,
  );

  const connection = await RawConnection.to(url);
  const others: RawConnection[] = [];
  const open = async () => {
    others.push(await RawConnection.to(url));
    return others.some(({ isEnded }) => isEnded);
  };
  // It takes about seventy, each of them at once.
  await until('the service closes a connection', 60, open, 10);
  // The first body of the process, and more writes at the same time than there are connections to the database.
  const headers = {
    'X-Auth-Project': project,
    'X-Auth-User': user,
    'X-Auth-Token': token,
    'Content-Type': 'application/json',
  };
  const writes = Array.from({ length: 12 }, (_, n) => JSON.stringify({ label: `label-${String(n)}` }));
  for (const body of writes) connection.write(requestText('POST', '/v1/labels', headers, body));
  await until('all responses', 60, () => Promise.resolve(connection.answers.length === writes.length));
  const statuses = connection.answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  const refused = connection.answers.find(({ status }) => status === 503);
  expect(refused?.body).toContain('too many open connections');
  expect(refused?.headers).toMatch(/^retry-after: 1\r?$/im);

  for (const other of [connection, ...others]) other.cut();
  const root = new Caller(url, { project, user, token });
  await until('a write succeeds', 60, async () => (await statusOfWrite(root)) === 201);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** The status of a write. Undefined if the service, which has no descriptor for another connection yet, has closed this one. */
async function statusOfWrite(caller: Caller): Promise<number | undefined> {
  try {
    return (await caller.post('/v1/labels', { label: 'last' })).status;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return undefined;
    throw error;
  }
}
