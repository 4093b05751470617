import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sharedService } from '../support/service';
import { SecondConnection, lockRegionName } from '../support/second-connection';
import { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines } from '../support/importing';
import { startLossyProxy } from '../support/lossy-proxy';
import { environmentOf, MUSTER, muster, printed, temporaryFolder, type Ended } from '../support/shell';
import { until } from '../support/until';

const app = sharedService();
let secondConnection: SecondConnection;

beforeAll(async () => {
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});

afterAll(() => secondConnection.close());

/** An import into the project waits where it writes the region: its labels are written, and what is in the region is not. */
const theRegion = ({ projectId }: Caller) => lockRegionName(projectId, 'north');

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
];

/** Before the service writes the cell it looks whether the client is still connected. */
const MORE = [
  { kind: 'label', label: 'web' },
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
  { kind: 'host', name: 'web-1', region: 'north', ip_address: '10.1.1.1', device_type: 'server' },
];

/** The region is written last: then it is too late to stop. */
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

/** Whether the service has a folder for an import of a project: its body is on the way. */
const isTakenIn = ({ credentials }: Caller): boolean =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith('muster-import-'))
    .some((name) => ownerIn(join(tmpdir(), name, 'import.json')).includes(credentials.project));

function ownerIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Somebody else's, which is gone by now, or not there yet. To Jest, errors of Node's are none of its own `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** A client that runs, and can be interrupted. */
class Running {
  private readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  private told = '';

  constructor(who: Caller, args: readonly string[]) {
    this.child = spawn(process.execPath, [MUSTER, ...args], { env: environmentOf(who), stdio: 'pipe' });
    const { stdout, stderr } = this.child;
    if (!stdout || !stderr) throw new Error('it has no output');
    stderr.on('data', (part: Buffer) => (this.told += part.toString()));
    const code = once(this.child, 'close').then(([ending]) => ending as number | null);
    this.ended = Promise.all([code, text(stdout)]).then(([ending, printedText]) => ({
      code: ending,
      stdout: printedText,
      stderr: this.told,
    }));
  }

  /** Gives it a part of its input; more may come. */
  write(part: string): void {
    this.child.stdin?.write(part);
  }

  interrupt(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): void {
    this.child.kill(signal);
  }

  /** Waits until it has said something. */
  async said(sentence: string): Promise<void> {
    while (!this.told.includes(sentence)) await Promise.race([once(this.child.stderr!, 'data'), this.ended]);
  }
}

describe('Ctrl-C', () => {
  it('while lines are read, says that nothing was written', async () => {
    const admin = await app.project();
    const client = new Running(admin, ['import', '-']);
    client.write(asLines(LINES));
    await until('the service takes it in', 60, () => Promise.resolve(isTakenIn(admin)));
    client.interrupt();
    expect(await client.ended).toEqual({
      code: 130,
      stdout: '',
      stderr: 'muster: Interrupted.\nNothing was written.\n',
    });
    expect(await regions(admin)).toEqual([]);
  });

  it('while the service writes, stops it, and says that nothing was written', async () => {
    const admin = await app.project();
    const file = fileOf(asLines(MORE));
    const release = await secondConnection.acquire(theRegion(admin));
    const client = new Running(admin, ['import', file, '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.said('Checking');
    // The service has noticed, and is asked what has become of it.
    await secondConnection.waiting(2);
    await release();
    const ended = await client.ended;
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.stderr).toMatch(/muster: Interrupted\.\nNothing was written\.\n$/);
    expect(await exportLines(admin)).toEqual([]);
    expect(await printed(admin, ['import', file])).toBe('4 created, 0 updated, 0 unchanged\n');
  });

  it('when it is too late to stop it, says that all was written', async () => {
    const admin = await app.project();
    const release = await secondConnection.acquire(theRegion(admin));
    const client = new Running(admin, ['import', fileOf(asLines(LAST)), '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.said('Checking');
    await release();
    const ended = await client.ended;
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.stderr).toMatch(/muster: Interrupted\.\nEverything was written \(change \d+\)\.\n$/);
    expect(await regions(admin)).toHaveLength(1);
  });

  it('twice does not wait for the service, and says how to find out', async () => {
    const admin = await app.project();
    const release = await secondConnection.acquire(theRegion(admin));
    const client = new Running(admin, ['import', fileOf(asLines(MORE)), '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.said('Checking');
    // The service has noticed, and is asked what has become of it.
    await secondConnection.waiting(2);
    client.interrupt();
    const ended = await client.ended;
    await release();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain(
      'It is not known yet whether anything was written: the check was interrupted.',
    );
    const [, id = ''] = /muster import --outcome (\S+)/.exec(ended.stderr) ?? [];
    expect(await printed(admin, ['import', '--outcome', id])).toBe('Nothing was written.\n');
    expect(await exportLines(admin)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'or %s, while a batch waits for its lines, ends it',
    async (signal) => {
      const admin = await app.project();
      const client = new Running(admin, ['import', '-', '--batch', '2', '--yes']);
      client.write(asLines([...LINES, { kind: 'label', label: 'web' }]));
      await until('the first batch is done', 60, async () => (await regions(admin)).length === 1);
      client.interrupt(signal);
      const ended = await client.ended;
      expect(ended).toMatchObject({ code: 130, stdout: '' });
      expect(ended.stderr).toContain('muster: Interrupted.\n');
      expect(ended.stderr).toContain('\nThe lines up to standard input, line 2 were imported.\n');
      expect(await exportLines(admin, '?kind=label')).toEqual([]);
    },
  );

  it('between batches says which lines are done, and how to go on', async () => {
    const admin = await app.project();
    const [first, second] = [MORE.slice(0, 1), MORE.slice(1)];
    const file = fileOf(asLines([...first, { kind: 'region', name: 'south' }, ...second]));
    const release = await secondConnection.acquire(theRegion(admin));
    const client = new Running(admin, ['import', file, '--batch', '2', '--yes']);
    await secondConnection.waiting(1);
    client.interrupt();
    await client.said('Checking');
    // The service has noticed, and is asked what has become of it.
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
  it('whose answer is missing is found out about: all was written', async () => {
    const admin = await app.project();
    const line = await startLossyProxy(app.url);
    try {
      const there = new Caller(line.url, admin.credentials);
      const client = new Running(there, ['import', fileOf(asLines(LINES)), '--yes']);
      await client.said('Checking');
      line.stopLosing();
      const ended = await client.ended;
      expect(line.lost).toBeGreaterThan(0);
      expect(ended).toMatchObject({ code: 5, stdout: '' });
      const { body } = await admin.get('/v1/changes?kind=cell').expect(200);
      expect(ended.stderr).toContain(`\nEverything was written (change ${String(body[0].id)}).\n`);
      expect(await regions(admin)).toHaveLength(1);
    } finally {
      await line.close();
    }
  });

  it('in batches is got over: a batch is sent again, and done once', async () => {
    const admin = await app.project();
    const line = await startLossyProxy(app.url);
    try {
      const client = new Running(new Caller(line.url, admin.credentials), [
        'import',
        fileOf(asLines(LINES)),
        '--batch',
        '1',
        '--yes',
      ]);
      await client.said('retrying');
      line.stopLosing();
      expect(await client.ended).toMatchObject({ code: 0, stdout: '2 created, 0 updated, 0 unchanged\n' });
      const { body } = await admin.get('/v1/changes?kind=region').expect(200);
      expect(body).toHaveLength(1);
    } finally {
      await line.close();
    }
  });

  it('that stays lost leaves open what was written, and says how to find out', async () => {
    const admin = await app.project();
    const line = await startLossyProxy(app.url);
    try {
      const there = new Caller(line.url, admin.credentials);
      const file = fileOf(asLines(LINES));
      const { code, stderr } = await muster(there, ['import', file, '--yes']);
      expect(code).toBe(5);
      expect(stderr).toContain('It is not known yet whether anything was written: Cannot connect to Muster');
      const [, id = ''] = /muster import --outcome (\S+)/.exec(stderr) ?? [];
      expect(await printed(admin, ['import', '--outcome', id])).toMatch(
        /^Everything was written \(change \d+\)\.\n$/,
      );
      expect(await printed(admin, ['import', file])).toBe('0 created, 0 updated, 2 unchanged\n');
    } finally {
      await line.close();
    }
  });

  it('to nobody at all has written nothing', async () => {
    const line = await startLossyProxy(app.url);
    await line.close();
    const admin = await app.project();
    const ended = await muster(new Caller(line.url, admin.credentials), ['import', '-'], {
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
  it('knows what was done without a change', async () => {
    const admin = await app.project();
    await printed(admin, ['import', '-'], { stdin: asLines(LINES) });
    const line = await startLossyProxy(app.url);
    try {
      const client = new Running(new Caller(line.url, admin.credentials), [
        'import',
        fileOf(asLines(LINES)),
        '--yes',
      ]);
      await client.said('Checking');
      line.stopLosing();
      expect((await client.ended).stderr).toContain('The import was processed, and changed nothing.');
    } finally {
      await line.close();
    }
  });

  it('takes an id, and no file', async () => {
    const admin = await app.project();
    expect(await muster(admin, ['import', '--outcome', 'x y'])).toMatchObject({ code: 2 });
    expect(await muster(admin, ['import', '--outcome', 'x', 'fleet.ndjson'])).toMatchObject({ code: 2 });
    expect(await printed(admin, ['import', '--outcome', 'nobody-has-sent-it'])).toBe(
      'Nothing was written.\n',
    );
  });
});
