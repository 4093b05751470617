import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { socketFolderOf } from '@muster/embedded-postgres';
import { admin, printed } from '../../support/admin';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { SecondConnection } from '../../support/second-connection';
import { aName, Caller } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';
import { asLines, importLines, sendImport } from '../../support/importing';
import { until } from '../../support/until';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';

jest.setTimeout(120_000);

/** A lock that blocks an import after it has written its regions. */
const theCells = { text: 'LOCK TABLE cells IN SHARE MODE', values: [] };
/** A lock that blocks it after its cells. */
const theDevices = { text: 'LOCK TABLE devices IN SHARE MODE', values: [] };
/** A lock that blocks the comparison of the columns of a table with the variables of the project, before it is written. */
const theVariables = { text: 'LOCK TABLE variable_correlations IN ACCESS EXCLUSIVE MODE', values: [] };

const lines = [
  { kind: 'region', name: 'r1', labels: ['made'], variables: { a: 1 } },
  { kind: 'cell', region: 'r1', name: 'c1' },
  ...Array.from({ length: 20 }, (_, n) => ({
    kind: 'host',
    name: `h${String(n)}`,
    region: 'r1',
    cell: 'c1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    variables: { n },
  })),
];

/** More than is collected before it is stored. */
const long = Array.from({ length: 4 }, (_, n) => ({
  kind: 'region',
  name: `long-${String(n)}`,
  variables: { v: 'x'.repeat(500_000) },
}));

/** A client that sends an import, and can disconnect at any time. */
class Client {
  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
  }

  /** @param length the announced Content-Length; if it exceeds the body, the request stays incomplete */
  static send(
    { url, credentials }: Caller,
    body: string,
    { length = Buffer.byteLength(body), query = '', type = 'application/x-ndjson', id = '' } = {},
  ): Client {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const headers = {
      ...authHeaders(credentials),
      host: 'test',
      'content-type': type,
      'x-request-id': id,
      'content-length': String(length),
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /v1/import${query} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    return new Client(socket);
  }

  disconnect(): void {
    this.socket.destroy();
  }
}

describe('an interrupted import writes nothing', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let root: Caller;
  /** An admin of the test's own project. */
  let caller: Caller;
  let secondConnection: SecondConnection;

  const start = () => startServiceProcess({ DATA_DIR: dataDir, WORKERS: '1' });
  const connectToDatabase = () =>
    SecondConnection.connect(
      `postgres://postgres@/muster?host=${encodeURIComponent(socketFolderOf(dataDir))}`,
    );

  beforeAll(async () => {
    dataDir = join(temporaryFolder(), 'data');
    service = start();
    root = await service.root();
  });
  beforeEach(async () => {
    const made = await root.post('/v1/projects', { name: aName('project') }).expect(201);
    caller = root.in((made.body as { id: string }).id);
    secondConnection = await connectToDatabase();
    // The response of an import does not wait for the end of the session with its lines.
    await expectNoSessions();
  });
  afterEach(() => secondConnection.close());
  afterAll(async () => {
    try {
      await printed(admin(['verify'], { DATA_DIR: dataDir }));
    } finally {
      await cleanUp();
    }
  });

  /** The connections that hold the lines of imports in their temporary tables. */
  const sessions = () =>
    secondConnection.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE query LIKE '%import_lines%' AND pid <> pg_backend_pid()`,
    );
  const expectNoSessions = () =>
    until('the lines are dropped', 60, async () => (await sessions()).length === 0);
  const logs = (sentence: RegExp, of = service) =>
    of.line((line) => sentence.exec(line) ?? undefined, String(sentence));

  async function expectNothingWritten(): Promise<void> {
    const rowsOf = (table: string) =>
      `SELECT count(*) FROM ${table} WHERE project_id = '${caller.projectId}'`;
    const counts = await secondConnection.rows(`SELECT (${rowsOf('regions')}) AS regions,
      (${rowsOf('labels')}) AS labels, (${rowsOf('devices')}) AS devices,
      (${rowsOf('change_objects')} AND kind = 'region') AS objects,
      (${rowsOf('variable_correlations')}) AS correlations`);
    expect(counts).toEqual([{ regions: '0', labels: '0', devices: '0', objects: '0', correlations: '0' }]);
  }

  it('when the client disconnects during the upload, and logs it', async () => {
    const client = Client.send(caller, asLines([...lines, ...long]), { length: 10_000_000 });
    await until('lines are stored', 60, async () => (await sessions()).length > 0);
    client.disconnect();
    await logs(/The client of an import disconnected before the end of the body: nothing was imported/);
    await expectNoSessions();
    await expectNothingWritten();
  });

  it('when the client disconnects during the writes, and logs it', async () => {
    const release = await secondConnection.acquire(theCells);
    const client = Client.send(caller, asLines(lines));
    await secondConnection.waiting(1);
    client.disconnect();
    await release();
    await logs(/The client of an import disconnected before the import was committed: nothing was imported/);
    await expectNoSessions();
    await expectNothingWritten();
    expect(await importLines(caller, lines)).toMatchObject({ created: 22 });
  });

  it('when the client of a proposal disconnects before its faults are looked for, and logs it', async () => {
    const release = await secondConnection.acquire(theVariables);
    const table =
      'name,region,ip_address,device_type,variables.a\nh1,r1,10.0.0.1,server,1\nh2,r1,7,server,1\n';
    const id = aName('request');
    const client = Client.send(caller, table, { query: '?propose=t', type: 'text/csv', id });
    await secondConnection.waiting(1);
    client.disconnect();
    await logs(new RegExp(`"${id}".*request aborted`));
    await release();
    await logs(
      new RegExp(`disconnected before the import was committed: nothing was imported \\(request ${id}\\)`),
    );
    await expectNoSessions();
    await expectNothingWritten();
  });

  it.each(['', '?dry_run=true'])(
    'when the connection with its lines is lost during the writes, and responds with 503 (%s)',
    async (query) => {
      const third = await connectToDatabase();
      try {
        const releaseCells = await secondConnection.acquire(theCells);
        const releaseDevices = await third.acquire(theDevices);
        const response = sendImport(caller, asLines(lines), query).then(({ status }) => status);
        await secondConnection.waiting(1);
        const pids = (await sessions()).map(({ pid }) => pid);
        expect(pids).toHaveLength(1);
        await secondConnection.terminate(pids);
        await releaseCells();
        // The hosts were read before. While they are written, what follows them cannot be read.
        await third.waiting(1);
        await releaseDevices();
        expect(await response).toBe(503);
      } finally {
        await third.close();
      }
      await expectNothingWritten();
    },
  );

  it('when the database crashes, and responds with 503', async () => {
    const release = await secondConnection.acquire(theCells);
    const response = sendImport(caller, asLines(lines)).then(({ status }) => status);
    await secondConnection.waiting(1);
    const [waiter] = await secondConnection.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'muster'`,
    );
    if (!waiter) throw new Error('no session waits for a lock');
    // The server then closes all connections and restarts.
    process.kill(waiter.pid, 'SIGKILL');
    expect(await response).toBe(503);
    await release().catch(() => undefined);
    await until(
      'the database is available',
      60,
      async () => (await caller.get('/v1/regions')).status === 200,
    );
    secondConnection = await connectToDatabase();
    await expectNothingWritten();
    expect(await importLines(caller, lines)).toMatchObject({ created: 22 });
  });

  it('when the service is killed, and leaves no lines', async () => {
    const release = await secondConnection.acquire(theCells);
    const response = sendImport(caller, asLines(lines)).catch(() => undefined);
    await secondConnection.waiting(1);
    service.kill('SIGKILL');
    await service.ended;
    await response;
    await release().catch(() => undefined);

    service = start();
    const url = await service.serving();
    secondConnection = await connectToDatabase();
    await expectNoSessions();
    await expectNothingWritten();
    const again = new Caller(url, caller.credentials);
    expect(await importLines(again, lines)).toMatchObject({ created: 22 });
  });
});
