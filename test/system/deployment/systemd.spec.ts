import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../../src/config/environment';
import { describeWithPeers } from '../../support/external-programs';
import { Program } from '../../support/program';
import { addressOf, PROJECT, startProgram } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const UNITS = join(PROJECT, 'deploy/systemd');

const folder = mkdtempSync(join(tmpdir(), 'muster-systemd-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The settings of a unit, by name. Those that occur several times are joined by spaces. */
function unit(file: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [, name = '', value = ''] of readFileSync(join(UNITS, file), 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    settings.set(name, [settings.get(name), value].filter(Boolean).join(' '));
  return settings;
}

describe('deploy/systemd', () => {
  const service = unit('muster.service');

  it('starts a file of the project, with valid settings', () => {
    const [program, script = ''] = service.get('ExecStart')?.split(' ') ?? [];
    expect(program).toBe('/usr/bin/node');
    expect(readdirSync(join(PROJECT, script, '..'))).toContain('main.js');
    const variables = service
      .get('Environment')
      ?.split(' ')
      .map((text) => text.split('=') as [string, string]);
    expect(readEnvironment(Object.fromEntries(variables ?? []))).toMatchObject({
      DATA_DIR: '/var/lib/muster',
    });
    expect(service.get('StateDirectory')).toBe('muster');
  });

  it('stops the service after its requests', () => {
    const { SHUTDOWN_SECONDS, SHUTDOWN_NOTICE_SECONDS } = readEnvironment({});
    expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(
      SHUTDOWN_SECONDS + SHUTDOWN_NOTICE_SECONDS + 3,
    );
  });

  it('only replaces the folder for an installed package', () => {
    const { name } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { name: string };
    expect([...unit('muster.service.d/package.conf')]).toEqual([
      ['WorkingDirectory', `/usr/lib/node_modules/${name}`],
    ]);
  });
});

describe('deploy/systemd/muster-admin', () => {
  it('runs commands with the user, the settings and the folder of the service', () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    for (const [name, command] of [
      ['systemctl', 'echo /opt/somewhere'],
      ['systemd-run', 'printf "%s\\n" "$@"'],
    ] as const)
      writeFileSync(join(programs, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const env = { PATH: `${programs}:${process.env.PATH ?? ''}` };
    const command = ['user', 'create', 'two words', '--project', 'default'];
    const printed = execFileSync(join(UNITS, 'muster-admin'), command, { env, encoding: 'utf8' });
    const service = unit('muster.service');
    const [program, , ...rest] = printed.split('\n').slice(printed.split('\n').indexOf('/usr/bin/node'));
    expect([program, ...rest]).toEqual(['/usr/bin/node', ...command, '']);
    expect(printed.split('\n')).toEqual(
      expect.arrayContaining([
        ...['User', 'EnvironmentFile'].map((name) => `--property=${name}=${service.get(name) ?? ''}`),
        ...(service.get('Environment') ?? '').split(' ').map((variable) => `--setenv=${variable}`),
        '--property=WorkingDirectory=/opt/somewhere',
      ]),
    );
  });
});

describeWithPeers('deploy/systemd with systemd', ['systemd-analyze'], () => {
  const file = join(folder, 'muster.service');
  beforeAll(() => {
    cpSync(UNITS, folder, { recursive: true });
    // The program must exist.
    writeFileSync(file, readFileSync(file, 'utf8').replace('/usr/bin/node', process.execPath));
  });

  it('has valid units', () => {
    expect(execFileSync('systemd-analyze', ['verify', file], { stdio: 'pipe' }).toString()).toBe('');
  });

  it('exposes little: at most 2 of 10', () => {
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
      stdio: 'pipe',
    });
  });
});

/** Receives notifications as systemd does, and prints one per line. */
const RECEIVER = `
import os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print('listening', flush=True)
while True:
    message, files, _, _ = socket.recv_fds(server, 4096, 8)
    for file in files:
        os.close(file)
    for line in message.decode().splitlines():
        print(line, flush=True)
`;

describeWithPeers('a service that systemd starts', ['systemd-notify', 'python3'], () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(['1', '2'])('reports that it is ready, alive and stopping, with WORKERS=%s', async (workers) => {
    const sockets = join(folder, workers);
    mkdirSync(sockets);
    const socket = join(sockets, 'notify');
    const systemd = new Program(
      spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
    );
    const received = (line: string) => systemd.line((text) => (text === line ? text : undefined), line);
    await received('listening');
    const program = startProgram(database.url, {
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: '200000',
      WORKERS: workers,
    });
    const url = await addressOf(program);
    await received('READY=1');
    await received('WATCHDOG=1');
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    await received('STOPPING=1');
    systemd.kill('SIGKILL');
    await systemd.ended;
    const status = `STATUS=serving on ${url}${workers === '1' ? '' : ' with 2 workers'}`;
    expect(systemd.lines.filter((line) => !/^(BARRIER|WATCHDOG)=1$/.test(line)).toSorted()).toEqual(
      ['READY=1', 'STOPPING=1', 'listening', status].toSorted(),
    );
  });

  it('prints that it cannot notify, and serves', async () => {
    const program = startProgram(database.url, { NOTIFY_SOCKET: join(folder, 'none') });
    await addressOf(program);
    await program.line((line) => /Cannot notify systemd: /.exec(line)?.[0], 'a message', program.errorLines);
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});
