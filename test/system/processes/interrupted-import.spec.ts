import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { admin, printed } from '../../support/admin';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { socketFolderOf } from '../../../src/database/embedded/data-folders';
import { SecondConnection } from '../../support/second-connection';
import { aName, Caller } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';
import { asLines, importLines, sendImport } from '../../support/importing';
import { until } from '../../support/until';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';

jest.setTimeout(120_000);

/** Nobody can make a cell: an import then stands still when it has written its regions. */
const theCells = { text: 'LOCK TABLE cells IN SHARE MODE', values: [] };

const lines = [
  { kind: 'region', name: 'r1', labels: ['made'], variables: { a: 1 } },
  { kind: 'cell', region: 'r1', name: 'c1' },
  ...Array.from({ length: 700 }, (_, n) => ({
    kind: 'host',
    name: `h${String(n)}`,
    region: 'r1',
    cell: 'c1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    variables: { n },
  })),
];

/** A client that sends an import, and can leave at any moment. */
class Client {
  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
  }

  /** @param length how long it says that its body is; longer than what it sends, it is still to send the rest */
  static send({ url, credentials }: Caller, body: string, length = Buffer.byteLength(body)): Client {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const headers = {
      ...authHeaders(credentials),
      host: 'test',
      'content-type': 'application/x-ndjson',
      'content-length': String(length),
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /v1/import HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    return new Client(socket);
  }

  leave(): void {
    this.socket.destroy();
  }
}

describe('an import that is cut off', () => {
  let dataDir: string;
  let folder: string;
  let service: ServiceProcess;
  let root: Caller;
  /** In a project of the test's own. */
  let caller: Caller;
  let secondConnection: SecondConnection;

  const start = () => startServiceProcess({ DATA_DIR: dataDir, TMPDIR: folder, WORKERS: '1' });
  const bystanderOf = () =>
    SecondConnection.connect(
      `postgres://postgres@/muster?host=${encodeURIComponent(socketFolderOf(dataDir))}`,
    );

  beforeAll(async () => {
    dataDir = join(temporaryFolder(), 'data');
    folder = temporaryFolder();
    service = start();
    root = await service.root();
  });
  beforeEach(async () => {
    const made = await root.post('/v1/projects', { name: aName('project') }).expect(201);
    caller = root.in((made.body as { id: string }).id);
    secondConnection = await bystanderOf();
  });
  afterEach(() => secondConnection.close());
  afterAll(cleanUp);

  const spools = () => readdirSync(folder).filter((name) => name.startsWith('muster-import-'));
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
    await printed(admin(['verify'], { DATA_DIR: dataDir }));
  }

  it('by its client while it is sent, has written nothing, and the log says so', async () => {
    const client = Client.send(caller, asLines(lines), 1_000_000);
    await until('the lines are taken in', 60, () => Promise.resolve(spools().length === 1));
    client.leave();
    await logs(/The client of an import disconnected before the end of the body: nothing was imported/);
    await until('the spool is gone', 60, () => Promise.resolve(spools().length === 0));
    await expectNothingWritten();
  });

  it('by its client while it is written, has written nothing, and the log says so', async () => {
    const release = await secondConnection.acquire(theCells);
    const client = Client.send(caller, asLines(lines));
    await secondConnection.waiting(1);
    client.leave();
    await release();
    await logs(/The client of an import disconnected before the import was committed: nothing was imported/);
    await until('the spool is gone', 60, () => Promise.resolve(spools().length === 0));
    await expectNothingWritten();
    expect(await importLines(caller, lines)).toMatchObject({ created: 702 });
  });

  it('by the end of the database, has written nothing, and is answered so', async () => {
    const release = await secondConnection.acquire(theCells);
    const answer = sendImport(caller, asLines(lines)).then(({ status }) => status);
    await secondConnection.waiting(1);
    const [waiter] = await secondConnection.rows<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'muster'`,
    );
    if (!waiter) throw new Error('nobody waits any more');
    // The server ends all connections, and begins anew.
    process.kill(waiter.pid, 'SIGKILL');
    expect(await answer).toBe(503);
    await release().catch(() => undefined);
    await until('the database is back', 60, async () => (await caller.get('/v1/regions')).status === 200);
    secondConnection = await bystanderOf();
    await expectNothingWritten();
    expect(spools()).toEqual([]);
    expect(await importLines(caller, lines)).toMatchObject({ created: 702 });
  });

  it('by SIGKILL of the service, has written nothing, and the next start says so', async () => {
    const release = await secondConnection.acquire(theCells);
    const answer = sendImport(caller, asLines(lines)).catch(() => undefined);
    await secondConnection.waiting(1);
    service.kill('SIGKILL');
    await service.ended;
    await answer;
    await release().catch(() => undefined);
    expect(spools()).toHaveLength(1);

    service = start();
    const url = await service.serving();
    await logs(/An import was interrupted: nothing was imported/);
    expect(spools()).toEqual([]);
    secondConnection = await bystanderOf();
    await expectNothingWritten();
    const again = new Caller(url, caller.credentials);
    expect(await importLines(again, lines)).toMatchObject({ created: 702 });
    await printed(admin(['verify'], { DATA_DIR: dataDir }));
  });
});
