import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sharedService } from '../support/service';
import { SecondConnection, lockRegionName } from '../support/second-connection';
import { aName, Caller, type Resource } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { startFaultyProxy } from '../support/faulty-proxy';
import { refusingUrl } from '../support/free-port';
import { asLines, sendImport } from '../support/importing';
import { startLossyProxy } from '../support/lossy-proxy';
import { environmentOf, MUSTER, muster, printed, temporaryFolder, type Ended } from '../support/shell';
import { until } from '../support/until';

const app = sharedService();
let secondConnection: SecondConnection;

beforeAll(async () => {
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});

afterAll(() => secondConnection.close());

/** Blocks an import where it writes the region: after the labels, and before anything in the region. */
const regionLock = ({ projectId }: Caller) => lockRegionName(projectId, 'north');

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
];

/** Before it writes the cell, the service checks whether the client is still connected. */
const MORE = [
  { kind: 'label', label: 'web' },
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
  { kind: 'host', name: 'web-1', region: 'north', ip_address: '10.1.1.1', device_type: 'server' },
];

/** The region is written last, when the import can no longer be stopped. */
const LAST = [
  { kind: 'label', label: 'web' },
  { kind: 'region', name: 'north' },
];

const fileOf = (content: string) => {
  const file = join(temporaryFolder(), 'fleet.ndjson');
  writeFileSync(file, content);
  return file;
};

const regions = (admin: Caller) => exportLines(admin, '?kind=region');

/** A running client process that can be interrupted. */
class ClientProcess {
  private readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  private errorOutput = '';

  constructor(caller: Caller, args: readonly string[]) {
    this.child = spawn(process.execPath, [MUSTER, ...args], { env: environmentOf(caller), stdio: 'pipe' });
    const { stdout, stderr } = this.child;
    if (!stdout || !stderr) throw new Error('the client has no output streams');
    stderr.on('data', (part: Buffer) => (this.errorOutput += part.toString()));
    const code = once(this.child, 'close').then(([ending]) => ending as number | null);
    this.ended = Promise.all([code, text(stdout)]).then(([ending, printedText]) => ({
      code: ending,
      stdout: printedText,
      stderr: this.errorOutput,
    }));
  }

  /** Writes part of the standard input. */
  write(part: string): void {
    this.child.stdin?.write(part);
  }

  interrupt(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): void {
    this.child.kill(signal);
  }

  /** Waits until the client has printed a text to standard error. */
  async printedError(message: string): Promise<void> {
    const ended = this.ended.then(() => 'ended' as const);
    while (!this.errorOutput.includes(message))
      // Without the error, the promise of the end would keep the loop, and Jest, busy for ever.
      if ((await Promise.race([once(this.child.stderr!, 'data'), ended])) === 'ended') break;
    if (!this.errorOutput.includes(message))
      throw new Error(`the client did not print ${message}, but: ${this.errorOutput}`);
  }
}

describe('Ctrl-C', () => {
  it('while lines are read reports that nothing was written', async () => {
    const admin = await app.project();
    const proxy = await startLossyProxy(app.url);
    const client = new ClientProcess(new Caller(proxy.url, admin.credentials), ['import', '-']);
    client.write(asLines(LINES));
    await until('the lines are sent', 60, () => Promise.resolve(proxy.received.includes('rack-a')));
    client.interrupt();
    expect(await client.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: 'muster: Interrupted.\nNothing was written.\n',
    });
    expect(await regions(admin)).toEqual([]);
    expect(proxy.lost).toBe(0);
    await proxy.close();
  });

  it('while the service writes stops the import, and reports that nothing was written', async () => {
    const admin = await app.project();
    const file = fileOf(asLines(MORE));
    const release = await secondConnection.acquire(regionLock(admin));
    const client = new ClientProcess(admin, ['import', file, '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.printedError('Checking');
    // The service has noticed the disconnect, and the client queries the outcome.
    await secondConnection.waiting(2);
    await release();
    const ended = await client.ended;
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.stderr).toMatch(/muster: Interrupted\.\nNothing was written\.\n$/);
    expect(await exportLines(admin)).toEqual([]);
    expect(await printed(admin, ['import', file])).toBe('4 created, 0 updated, 0 unchanged\n');
  });

  it('when the import can no longer be stopped reports that everything was written', async () => {
    const admin = await app.project();
    const release = await secondConnection.acquire(regionLock(admin));
    const client = new ClientProcess(admin, ['import', fileOf(asLines(LAST)), '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.printedError('Checking');
    await release();
    const ended = await client.ended;
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.stderr).toMatch(/muster: Interrupted\.\nEverything was written \(change \d+\)\.\n$/);
    expect(await regions(admin)).toHaveLength(1);
  });

  it('twice does not wait for the service, and prints how to query the outcome', async () => {
    const admin = await app.project();
    const release = await secondConnection.acquire(regionLock(admin));
    const client = new ClientProcess(admin, ['import', fileOf(asLines(MORE)), '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.printedError('Checking');
    // The service has noticed the disconnect, and the client queries the outcome.
    await secondConnection.waiting(2);
    client.interrupt();
    const ended = await client.ended;
    await release();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain(
      'It is not known yet whether anything was written: the check was interrupted.',
    );
    const [, id = ''] = /muster import --outcome (\S+)/.exec(ended.stderr) ?? [];
    expect(await printed(admin, ['import', '--outcome', id])).toBe(
      `No import with the id ${id} has written anything in the last 24 hours.\n`,
    );
    expect(await exportLines(admin)).toEqual([]);
  });

  it.each([
    ['of the import', [], { code: 0, stdout: '2 created, 0 updated, 0 unchanged\n' }],
    ['of a batch', ['--batch', '2'], { code: 130, stdout: '' }],
  ] as const)(
    'while the client reads the change %s reports that it was written',
    async (_, options, expected) => {
      const admin = await app.project();
      const running: { client?: ClientProcess } = {};
      const proxy = await startFaultyProxy(
        app.url,
        () => undefined,
        async (_method, path) => {
          if (!path.startsWith('/v1/changes?')) return;
          running.client?.interrupt();
          await running.client?.ended;
        },
      );
      const file = fileOf(
        asLines(options.length === 0 ? LINES : [...LINES, { kind: 'label', label: 'web' }]),
      );
      running.client = new ClientProcess(new Caller(proxy.url, admin.credentials), [
        'import',
        file,
        '--yes',
        ...options,
      ]);
      const ended = await running.client.ended;
      await proxy.close();
      expect(ended).toMatchObject(expected);
      expect(ended.stderr).not.toContain('Nothing was written');
      if (expected.code !== 0)
        expect(ended.stderr).toContain(`The lines up to ${file}, line 2 were imported.`);
      expect(await exportLines(admin)).toHaveLength(2);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'or %s while a batch waits for lines stops the import',
    async (signal) => {
      const admin = await app.project();
      const client = new ClientProcess(admin, ['import', '-', '--batch', '2', '--yes']);
      client.write(asLines([...LINES, { kind: 'label', label: 'web' }]));
      await until('the first batch is written', 60, async () => (await regions(admin)).length === 1);
      client.interrupt(signal);
      const ended = await client.ended;
      expect(ended).toMatchObject({ code: 130, stdout: '' });
      expect(ended.stderr).toContain('muster: Interrupted.\n');
      expect(ended.stderr).toContain('\nThe lines up to standard input, line 2 were imported.\n');
      expect(await exportLines(admin, '?kind=label')).toEqual([]);
    },
  );

  it('between batches reports the completed lines', async () => {
    const admin = await app.project();
    const [first, second] = [MORE.slice(0, 1), MORE.slice(1)];
    const file = fileOf(asLines([...first, { kind: 'region', name: 'south' }, ...second]));
    const release = await secondConnection.acquire(regionLock(admin));
    const client = new ClientProcess(admin, ['import', file, '--batch', '2', '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.printedError('Checking');
    // The service has noticed the disconnect, and the client queries the outcome.
    await secondConnection.waiting(2);
    await release();
    const ended = await client.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('Nothing of the last batch was written.');
    expect(ended.stderr).toContain(`The lines up to ${file}, line 2 were imported.`);
    expect(await printed(admin, ['import', file, '--batch', '2'])).toBe(
      '3 created, 0 updated, 2 unchanged\n',
    );
  });
});

describe('a lost connection', () => {
  it('after the import was processed leads to a query of the outcome: everything was written', async () => {
    const admin = await app.project();
    const proxy = await startLossyProxy(app.url);
    try {
      const viaProxy = new Caller(proxy.url, admin.credentials);
      const client = new ClientProcess(viaProxy, ['import', fileOf(asLines(LINES)), '--yes']);
      await client.printedError('Checking');
      proxy.stopLosing();
      const ended = await client.ended;
      expect(proxy.lost).toBeGreaterThan(0);
      expect(ended).toMatchObject({ code: 5, stdout: '' });
      const { body } = await admin.get('/v1/changes?kind=cell').expect(200);
      expect(ended.stderr).toContain(`\nEverything was written (change ${String(body[0].id)}).\n`);
      expect(await regions(admin)).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it('in batches leads to a retry, and the batch is written once', async () => {
    const admin = await app.project();
    const proxy = await startLossyProxy(app.url);
    try {
      const client = new ClientProcess(new Caller(proxy.url, admin.credentials), [
        'import',
        fileOf(asLines(LINES)),
        '--batch',
        '1',
        '--yes',
      ]);
      await client.printedError('retrying');
      proxy.stopLosing();
      expect(await client.ended).toMatchObject({ code: 0, stdout: '2 created, 0 updated, 0 unchanged\n' });
      const { body } = await admin.get('/v1/changes?kind=region').expect(200);
      expect(body).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it('that stays lost leaves the outcome unknown, and prints how to query it', async () => {
    const admin = await app.project();
    const proxy = await startLossyProxy(app.url);
    try {
      const viaProxy = new Caller(proxy.url, admin.credentials);
      const file = fileOf(asLines(LINES));
      const { code, stderr } = await muster(viaProxy, ['import', file, '--yes']);
      expect(code).toBe(5);
      expect(stderr).toContain('It is not known yet whether anything was written: Cannot connect to Muster');
      const [, id = ''] = /muster import --outcome (\S+)/.exec(stderr) ?? [];
      expect(await printed(admin, ['import', '--outcome', id])).toMatch(
        /^Everything was written \(change \d+\)\.\n$/,
      );
      expect(await printed(admin, ['import', file])).toBe('0 created, 0 updated, 2 unchanged\n');
    } finally {
      await proxy.close();
    }
  });

  it('before anything was sent means that nothing was written', async () => {
    const admin = await app.project();
    const ended = await muster(new Caller(await refusingUrl(), admin.credentials), ['import', '-'], {
      stdin: asLines(LINES),
    });
    expect(ended).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(/\nNothing was written\.\n$/),
    });
  });
});

describe('muster import --outcome', () => {
  it('reports an import that changed nothing', async () => {
    const admin = await app.project();
    await printed(admin, ['import', '-'], { stdin: asLines(LINES) });
    const proxy = await startLossyProxy(app.url);
    try {
      const client = new ClientProcess(new Caller(proxy.url, admin.credentials), [
        'import',
        fileOf(asLines(LINES)),
        '--yes',
      ]);
      await client.printedError('Checking');
      proxy.stopLosing();
      expect((await client.ended).stderr).toContain('The import was processed, and changed nothing.');
    } finally {
      await proxy.close();
    }
  });

  it('finds the change, even if a later request has the same id', async () => {
    const admin = await app.project();
    const id = aName('import');
    const key = { 'Idempotency-Key': id, 'X-Request-Id': id };
    await sendImport(admin, asLines([{ kind: 'region', name: 'north' }]), '', key).expect(200);
    const [record] = (await admin.get(`/v1/changes?request_id=${id}`).expect(200)).body as Resource[];
    await admin.post('/v1/regions', { name: 'south' }, { 'X-Request-Id': id }).expect(201);
    expect(await printed(admin, ['import', '--outcome', id])).toBe(
      `Everything was written (change ${String(record?.id)}).\n`,
    );
  });

  it('requires a valid id, and accepts no file', async () => {
    const admin = await app.project();
    expect(await muster(admin, ['import', '--outcome', 'x y'])).toMatchObject({ code: 2 });
    expect(await muster(admin, ['import', '--outcome', 'x', 'fleet.ndjson'])).toMatchObject({ code: 2 });
    expect(await printed(admin, ['import', '--outcome', 'nobody-has-sent-it'])).toBe(
      'No import with the id nobody-has-sent-it has written anything in the last 24 hours.\n',
    );
  });
});
